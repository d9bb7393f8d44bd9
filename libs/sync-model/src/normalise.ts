import type { FieldType, FieldValue, Fields } from './fields.js';
import { normaliseDomain, normaliseEmail, normalisePhone, trimmed } from './normalise-contact.js';
import { normaliseDate, normaliseInstant } from './normalise-time.js';

/** Stable codes; `field-type` is a value of the wrong kind, the others name what was expected. */
export type FieldFaultCode =
  | 'unknown-field'
  | 'field-type'
  | 'field-text'
  | 'field-too-long'
  | 'field-email'
  | 'field-phone'
  | 'field-domain'
  | 'field-date'
  | 'field-instant'
  | 'field-option'
  | 'field-number'
  | 'field-boolean';

/** `detail` says what is allowed and never repeats the value, which may be personal. */
export type NormaliseResult =
  | { readonly ok: true; readonly value: FieldValue }
  | { readonly ok: false; readonly code: FieldFaultCode; readonly detail: string };

export interface FieldFault {
  readonly field: string;
  readonly code: FieldFaultCode;
  readonly detail: string;
}

/**
 * One raw value in the canonical form of its type, so that two systems' spellings of one fact are
 * equal. Idempotent. `null` and the empty text both mean "cleared" and give null: there is one form
 * for nothing, whatever a CRM uses.
 */
export const normaliseValue = (type: FieldType, raw: unknown): NormaliseResult => {
  if (raw === null || raw === '') return { ok: true, value: null };
  if (typeof raw !== 'string' && typeof raw !== 'number' && typeof raw !== 'boolean') {
    return fault('field-type', `a ${type.type} is a single value, not a list or an object`);
  }
  // Half a surrogate pair has no UTF-8 form: two such texts would get the same hash.
  if (typeof raw === 'string' && /[\p{Cs}\0]/u.test(raw)) {
    return fault('field-text', 'the text holds a character that no CRM can store');
  }
  if (typeof raw === 'string' && type.type !== 'text' && trimmed(raw) === '') {
    return { ok: true, value: null };
  }
  return normalisePresent(type, raw);
};

const normalisePresent = (type: FieldType, raw: string | number | boolean): NormaliseResult => {
  switch (type.type) {
    case 'text':
      return normaliseText(type, raw);
    case 'email':
      return fromText(raw, normaliseEmail, 'field-email', 'an address like name@example.com');
    case 'domain':
      return fromText(raw, normaliseDomain, 'field-domain', 'a domain like example.com');
    case 'phone': {
      const expected = 'a phone number with country code, or one of the declared country';
      return fromText(raw, (text) => normalisePhone(text, type.country), 'field-phone', expected);
    }
    case 'picklist': {
      const optionOf = (text: string) => (type.options.includes(text) ? text : undefined);
      return fromText(raw, optionOf, 'field-option', 'one of the declared options, exactly');
    }
    case 'date':
      return fromMoment(raw, normaliseDate, 'field-date', 'a day like 2026-03-31');
    case 'instant': {
      const expected = 'a moment like 2026-03-31T10:00:00Z, with its zone';
      return fromMoment(raw, normaliseInstant, 'field-instant', expected);
    }
    case 'number':
      return normaliseNumber(raw);
    case 'boolean':
      return normaliseBoolean(raw);
    default:
      return type satisfies never;
  }
};

const fault = (code: FieldFaultCode, detail: string): NormaliseResult => ({
  ok: false,
  code,
  detail,
});

type Found = string | number | undefined;
const expecting = (value: Found, code: FieldFaultCode, expected: string): NormaliseResult =>
  value === undefined ? fault(code, `expected ${expected}`) : { ok: true, value };

const fromText = (
  raw: string | number | boolean,
  read: (text: string) => string | undefined,
  code: FieldFaultCode,
  expected: string,
): NormaliseResult =>
  typeof raw === 'string'
    ? expecting(read(raw), code, expected)
    : fault('field-type', `expected ${expected}, as a text`);

const fromMoment = (
  raw: string | number | boolean,
  read: (value: string | number) => string | undefined,
  code: FieldFaultCode,
  expected: string,
): NormaliseResult =>
  typeof raw === 'boolean'
    ? fault('field-type', `expected ${expected}`)
    : expecting(read(raw), code, expected);

/**
 * NFC, so that composed and decomposed letters are equal; nothing else is touched. `max` counts
 * code points. Over it, the declared rule decides: `truncate` cuts at a code point, anything else
 * refuses.
 */
const normaliseText = (
  type: Extract<FieldType, { type: 'text' }>,
  raw: string | number | boolean,
): NormaliseResult => {
  if (typeof raw !== 'string') return fault('field-type', 'expected a text');
  const text = raw.normalize('NFC');
  if (type.max === undefined || text.length <= type.max) return { ok: true, value: text };
  const points = [...text];
  if (points.length <= type.max) return { ok: true, value: text };
  if (type.overflow !== 'truncate') {
    return fault('field-too-long', `expected at most ${type.max} characters`);
  }
  return { ok: true, value: points.slice(0, type.max).join('') };
};

/** CRMs send numbers as text. Only a plain decimal is read; -0 is 0. */
const normaliseNumber = (raw: string | number | boolean): NormaliseResult => {
  if (typeof raw === 'boolean') return fault('field-type', 'expected a number');
  const isPlain =
    typeof raw === 'number' || /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed(raw));
  const value = isPlain ? Number(raw) : Number.NaN;
  return Number.isFinite(value)
    ? { ok: true, value: value === 0 ? 0 : value }
    : fault('field-number', 'expected a finite decimal number');
};

const normaliseBoolean = (raw: string | number | boolean): NormaliseResult => {
  if (typeof raw === 'boolean') return { ok: true, value: raw };
  const text = typeof raw === 'string' ? trimmed(raw).toLowerCase() : '';
  if (text === 'true' || text === 'false') return { ok: true, value: text === 'true' };
  return fault('field-boolean', 'expected true or false');
};

/**
 * All raw fields of a record in canonical form. What cannot be read is named, one fault a field,
 * and left out; the other fields stay. A key whose value is undefined says nothing and is skipped.
 */
export const normaliseFields = (
  types: Readonly<Record<string, FieldType>>,
  raw: Readonly<Record<string, unknown>>,
): { readonly fields: Fields; readonly faults: readonly FieldFault[] } => {
  const fields: [string, FieldValue][] = [];
  const faults: FieldFault[] = [];
  for (const [field, value] of Object.entries(raw)) {
    if (value === undefined) continue;
    // `hasOwn`: a field called `constructor` must not find a type on the prototype.
    const type = Object.hasOwn(types, field) ? types[field] : undefined;
    const result: NormaliseResult = type
      ? normaliseValue(type, value)
      : fault('unknown-field', 'the plan declares no such field for this record type');
    if (result.ok) fields.push([field, result.value]);
    else faults.push({ field, code: result.code, detail: result.detail });
  }
  // `fromEntries` defines own properties, so `__proto__` stays a plain name.
  return { fields: Object.fromEntries(fields), faults };
};
