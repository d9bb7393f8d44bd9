import type { ValueFault } from '../answers/errors.js';
import type { PropertyDefinition } from './definition.js';

const DAY_MS = 86_400_000;
/** Longer text than this is refused by the real API. */
const TEXT_MAX = 65_536;
const EMAIL = /^[^\s@;,]+@[^\s@;,]+\.[^\s@;,.]+$/u;

/** A value in the form the store keeps, or why HubSpot would refuse it. */
export type Canonical = { readonly value: string } | { readonly fault: ValueFault };

/**
 * Brings one raw value to the stored form: text always, `''` for null, instants as epoch ms text,
 * dates as `YYYY-MM-DD`, addresses trimmed and lower-cased. Objects and arrays are refused.
 */
export function canonicalValue(property: PropertyDefinition, raw: unknown): Canonical {
  const fail = (error: string, message: string): Canonical => ({
    fault: { name: property.name, error, message },
  });
  if (raw === null || raw === undefined || raw === '') return { value: '' };
  if (typeof raw !== 'string' && typeof raw !== 'number' && typeof raw !== 'boolean') {
    return fail('INVALID_TYPE', `${JSON.stringify(raw)} was not a valid value.`);
  }
  const text = String(raw);
  if (text.length > TEXT_MAX) {
    return fail(
      'PROPERTY_VALUE_TOO_LONG',
      `Property values must be less than ${TEXT_MAX} characters.`,
    );
  }
  return textForType(property, text, fail);
}

function textForType(
  property: PropertyDefinition,
  text: string,
  fail: (error: string, message: string) => Canonical,
): Canonical {
  switch (property.type) {
    case 'number':
      return Number.isFinite(Number(text)) && text.trim() !== ''
        ? { value: text.trim() }
        : fail('INVALID_NUMBER', `${text} was not a valid number.`);
    case 'bool':
      return /^(true|false)$/i.test(text)
        ? { value: text.toLowerCase() }
        : fail('INVALID_OPTION', `${text} was not one of the allowed options: [true, false]`);
    case 'enumeration':
      return optionOf(property, text) ?? fail('INVALID_OPTION', optionMessage(property, text));
    case 'date':
    case 'datetime':
      return (
        instantOf(property.type, text) ?? fail('INVALID_LONG', `${text} was not a valid long.`)
      );
    case 'string':
    case 'phone_number':
      return namedText(property.name, text, fail);
    default:
      return property.type satisfies never;
  }
}

/** A few text properties have a form of their own. */
function namedText(
  name: string,
  text: string,
  fail: (error: string, message: string) => Canonical,
): Canonical {
  if (name === 'domain') return { value: text.trim().toLowerCase() };
  if (name === 'hs_additional_emails') return { value: splitList(text).map(lowered).join(';') };
  if (name !== 'email') return { value: text };
  const email = lowered(text);
  return EMAIL.test(email)
    ? { value: email }
    : fail('INVALID_EMAIL', `Email address ${text} is invalid`);
}

const lowered = (text: string): string => text.trim().toLowerCase();

/** Splits HubSpot's `;` lists, dropping empty parts. */
export const splitList = (text: string | undefined): string[] =>
  (text ?? '').split(';').filter((part) => part.trim() !== '');

function optionOf(property: PropertyDefinition, text: string): Canonical | undefined {
  return property.options.some((option) => option.value === text) ? { value: text } : undefined;
}

const optionMessage = (property: PropertyDefinition, text: string): string =>
  `${text} was not one of the allowed options: [${property.options.map((o) => o.value).join(', ')}]`;

function instantOf(type: 'date' | 'datetime', text: string): Canonical | undefined {
  const atMs = /^-?\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (!Number.isFinite(atMs) || Math.abs(atMs) > 8.64e15) return undefined;
  if (type === 'datetime') return { value: String(atMs) };
  // A date that is not midnight UTC is what a time zone mistake looks like; the real API refuses it.
  return atMs % DAY_MS === 0 ? { value: new Date(atMs).toISOString().slice(0, 10) } : undefined;
}

/** The stored value as records show it: instants as ISO text without empty milliseconds. */
export function shownValue(property: PropertyDefinition | undefined, value: string): string {
  if (property?.type !== 'datetime' || value === '') return value;
  return instantText(Number(value));
}

/** The stored value as webhooks send it: instants and dates as epoch ms. */
export function webhookValue(property: PropertyDefinition | undefined, value: string): string {
  if (property?.type !== 'date' || value === '') return value;
  return String(Date.parse(value));
}

/** `2025-01-01T00:00:00Z`, or with `.123` when there are milliseconds. */
export const instantText = (atMs: number): string =>
  new Date(atMs).toISOString().replace('.000Z', 'Z');
