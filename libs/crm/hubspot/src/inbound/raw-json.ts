import type { CanonicalValue } from '@counterpart/sync-model';

export type JsonReading =
  | { readonly ok: true; readonly value: CanonicalValue }
  | { readonly ok: false; readonly code: 'malformed-json' | 'too-deep' };

/** A HubSpot delivery is an array of flat events; this much nesting is no event of theirs. */
const depthMax = 16;

/**
 * Reads JSON without losing digits: an integer that a double cannot hold (record ids have passed
 * 2^53 at other vendors and 2^31 here) comes out as a text of its digits. Nesting is bounded before
 * anything is built, so that code behind it may recurse. Time is linear in the text.
 */
export const readJson = (text: string): JsonReading => {
  const scanned = quoteLongNumbers(text);
  if (scanned === undefined) return { ok: false, code: 'too-deep' };
  try {
    return { ok: true, value: JSON.parse(scanned) as CanonicalValue };
  } catch {
    return { ok: false, code: 'malformed-json' };
  }
};

/** Undefined when the nesting exceeds the limit. Wrong JSON stays wrong and is left to the parser. */
const quoteLongNumbers = (text: string): string | undefined => {
  const pieces: string[] = [];
  let copiedTo = 0;
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '[' || char === '{') {
      depth += 1;
      if (depth > depthMax) return undefined;
    } else if (char === ']' || char === '}') depth -= 1;
    if (char === '"') at = endOfString(text, at);
    else if (isNumberPart(char)) {
      const end = endOfNumber(text, at);
      const token = text.slice(at, end);
      if (!survivesParsing(token)) {
        pieces.push(text.slice(copiedTo, at), `"${token}"`);
        copiedTo = end;
      }
      at = end;
    } else at += 1;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copiedTo);
};

const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
};

const isNumberPart = (char: string): boolean => (char >= '0' && char <= '9') || char === '-';

const endOfNumber = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && /[\d.eE+-]/.test(text.charAt(at))) at += 1;
  return at;
};

/** What is no number at all (`--1`, `1.2.3`) is left for the parser to refuse. */
const survivesParsing = (token: string): boolean => {
  const value = Number(token);
  if (Number.isNaN(value)) return true;
  // `1e999` has no canonical text, so it stays text like an integer beyond 2^53.
  return /^-?(?:0|[1-9]\d*)$/.test(token) ? Number.isSafeInteger(value) : Number.isFinite(value);
};
