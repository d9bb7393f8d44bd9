import type { Json, JsonObject } from '../format/json.js';
import { valueForm } from './value-forms.js';

/** What placeholders stand for. `n` counts repeats from 1; `ids` are names given by `saveAs`. */
export interface PlaceholderValues {
  readonly tenant: string;
  readonly run: string;
  readonly n?: number;
  readonly ids?: Readonly<Record<string, string>>;
  /** Wall time, for `{httpDate:3000}`. */
  readonly nowMs?: number;
  /** Further names: `crm.portalId`. */
  readonly more?: Readonly<Record<string, string>>;
}

export class UnknownPlaceholder extends Error {
  constructor(name: string) {
    super(`nothing is known by the placeholder {${name}}`);
  }
}

/**
 * Fills `{tenant}`, `{run}`, `{n}`, `{n:4}` (padded with zeros), `{variant:TEXT}` (the nth way to
 * write TEXT), `{id:NAME}`, `{httpDate:3000}` (the date 3 s from now, rounded up to its second) and
 * further names, in every string of `value`. Throws UnknownPlaceholder.
 */
export function fill<T extends Json>(value: T, values: PlaceholderValues): T;
export function fill(value: Json, values: PlaceholderValues): Json {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map((item: Json) => fill(item, values));
  if (value === null || typeof value !== 'object') return value;
  const filled: Record<string, Json> = {};
  for (const [key, inner] of Object.entries(value))
    if (inner !== undefined) filled[fillText(key, values)] = fill(inner, values);
  return filled;
}

const pattern = /\{([a-zA-Z][\w.-]*)(?::([^{}]*))?\}/g;

function fillText(text: string, values: PlaceholderValues): string {
  return text.replace(pattern, (whole, name: string, argument: string | undefined) => {
    const found = lookUp(name, argument, values);
    if (found === undefined) throw new UnknownPlaceholder(whole.slice(1, -1));
    return found;
  });
}

function lookUp(
  name: string,
  argument: string | undefined,
  values: PlaceholderValues,
): string | undefined {
  switch (name) {
    case 'tenant':
      return values.tenant;
    case 'run':
      return values.run;
    case 'n':
      return values.n === undefined
        ? undefined
        : String(values.n).padStart(Number(argument ?? 0), '0');
    case 'variant':
      return valueForm(argument ?? '', values.n ?? 1);
    case 'httpDate':
      return httpDate((values.nowMs ?? 0) + Number(argument ?? 0));
    case 'id':
      return values.ids?.[argument ?? ''];
    default:
      return values.more?.[name];
  }
}

const httpDate = (atMs: number): string => new Date(Math.ceil(atMs / 1000) * 1000).toUTCString();

/** `over` laid over `base`, key by key; null takes a key out, lists are replaced as a whole. */
export function laidOver(base: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    if (value === null) delete merged[key];
    else merged[key] = isObject(value) && isObject(below) ? laidOver(below, value) : value;
  }
  return merged;
}

/** A JSON object, not a list and not null. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
