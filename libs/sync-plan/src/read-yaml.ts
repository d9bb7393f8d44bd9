import { LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Document, Node, Pair, YAMLMap } from 'yaml';
import type { PlanFault } from './plan.js';

export type Path = readonly (string | number)[];
export type Place = Pick<PlanFault, 'line' | 'column'>;

export interface YamlText {
  /** The document as plain data; undefined when its syntax is broken. */
  readonly data: unknown;
  readonly faults: readonly PlanFault[];
  /** Where a path stands in the text: the key of its last part that exists. */
  placeOf(path: Path): Place;
}

const textMax = 1_048_576;

/** Reads YAML and keeps the way back from a path to its line. Never quotes the text in a message. */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter();
  if (text.length > textMax) return unreadable('too-large', 'a plan has at most 1 MiB of text');
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
  });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const syntax = document.errors.map((error) => ({
    ...placeAt(error.pos[0]),
    path: '',
    code: 'yaml-syntax',
    message: error.message,
  }));
  if (syntax.length > 0) return { data: undefined, faults: syntax, placeOf: () => placeAt(0) };
  const faults: PlanFault[] = [];
  checkKeys(document.contents, [], (path, key, offset) =>
    faults.push({ ...placeAt(offset), path: pathText([...path, key]), ...keyFault(key) }),
  );
  try {
    return {
      data: document.toJS(),
      faults,
      placeOf: (path) => placeAt(offsetOf(document, path)),
    };
  } catch {
    return unreadable('too-many-aliases', 'the plan expands to too much; write it without aliases');
  }
}

export const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`,
    '',
  );

function unreadable(code: string, message: string): YamlText {
  const place = { line: 1, column: 1 };
  return { data: undefined, faults: [{ ...place, path: '', code, message }], placeOf: () => place };
}

function keyFault(key: string): Pick<PlanFault, 'code' | 'message'> {
  if (key === 'owner') return { code: 'two-owners', message: 'the field already has an owner' };
  if (key === '__proto__') return { code: 'unknown-key', message: '__proto__ is not a name' };
  return { code: 'duplicate-key', message: `${key} is written twice; the first one would be lost` };
}

type KeyReport = (path: Path, key: string, offset: number) => void;

/** Reports keys written twice, and `__proto__`, which readers of plain data drop in silence. */
function checkKeys(node: unknown, path: Path, report: KeyReport): void {
  if (isSeq(node)) node.items.forEach((item, index) => checkKeys(item, [...path, index], report));
  if (!isMap(node)) return;
  const seen = new Set<string>();
  for (const pair of node.items) {
    const key = keyOf(pair);
    if (seen.has(key) || key === '__proto__') report(path, key, startOf(pair.key));
    seen.add(key);
    checkKeys(pair.value, [...path, key], report);
  }
}

function offsetOf(document: Document.Parsed, path: Path): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isSeq(node) && typeof part === 'number') {
      node = node.items[part];
      if (node === undefined) return offset;
      offset = startOf(node);
    } else if (isMap(node)) {
      const pair = pairOf(node, String(part));
      if (!pair) return offset;
      offset = startOf(pair.key);
      node = pair.value;
    } else return offset;
  }
  return offset;
}

const pairOf = (map: YAMLMap, key: string): Pair | undefined =>
  map.items.findLast((pair) => keyOf(pair) === key);
const keyOf = (pair: Pair): string =>
  String(isScalar(pair.key) ? pair.key.value : (pair.key ?? ''));
const startOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0;
