/** What has a canonical text: plain JSON data. A key whose value is undefined is left out. */
export type CanonicalValue =
  | string
  | number
  | boolean
  | null
  | readonly CanonicalValue[]
  | { readonly [key: string]: CanonicalValue | undefined };

/**
 * One text per meaning, to be hashed: object keys in code point order, strings and keys in NFC,
 * numbers as JSON writes them. Two services, or two versions of one, get the same bytes.
 * Throws RangeError for NaN and infinities, which have no JSON form and never pass normalisation.
 */
export const canonicalText = (value: CanonicalValue): string => {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value.normalize('NFC'));
  if (typeof value === 'number') return canonicalNumber(value);
  if (isList(value)) return `[${value.map(canonicalText).join(',')}]`;
  return canonicalObject(value);
};

const isList = (
  value: readonly CanonicalValue[] | { readonly [key: string]: CanonicalValue | undefined },
): value is readonly CanonicalValue[] => Array.isArray(value);

const canonicalNumber = (value: number): string => {
  if (!Number.isFinite(value)) throw new RangeError('a number without a JSON form has no text');
  return JSON.stringify(value);
};

const canonicalObject = (value: { readonly [key: string]: CanonicalValue | undefined }): string => {
  const parts: [string, string][] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (inner !== undefined) parts.push([key.normalize('NFC'), canonicalText(inner)]);
  }
  parts.sort(([a], [b]) => compareCodePoints(a, b));
  return `{${parts.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
};

/** UTF-16 order (what `sort` does) puts astral characters before U+E000; other languages do not. */
const compareCodePoints = (a: string, b: string): number => {
  const left = [...a];
  const right = [...b];
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const gap = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0);
    if (gap !== 0) return gap;
  }
  return left.length - right.length;
};
