/**
 * Order of two revisions of one record: -1, 0 or 1, or null when they cannot be compared (one side
 * has none, or it is not decimal digits). Compared as digits, never as JavaScript numbers: replay
 * ids and change numbers go beyond 2^53.
 */
export const compareRevision = (
  a: string | null | undefined,
  b: string | null | undefined,
): -1 | 0 | 1 | null => {
  const left = digitsOf(a);
  const right = digitsOf(b);
  if (left === null || right === null) return null;
  if (left.length !== right.length) return left.length < right.length ? -1 : 1;
  if (left === right) return 0;
  return left < right ? -1 : 1;
};

const digitsOf = (text: string | null | undefined): string | null =>
  text !== null && text !== undefined && /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : null;
