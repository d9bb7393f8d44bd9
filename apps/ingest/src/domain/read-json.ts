/** Deeper or wider than any honest delivery; keeps whatever walks the value from overflowing. */
const depthMax = 16;
const keysMax = 20_000;

export type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string };

const refuse = (code: string, message: string): JsonResult => ({ ok: false, code, message });

/** Also the answer to bytes that are no UTF-8. */
export const notJson = refuse('malformed-json', 'The body is not JSON in UTF-8.');

/**
 * Parses a body as JSON within limits. Refused, each with a code: text that is no JSON, too deep, too many keys, a key that would reach a prototype.
 */
export const readJson = (text: string): JsonResult => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return notJson;
  }
  return checkTree(value) ?? { ok: true, value };
};

/** Walks without recursion, so that depth cannot hurt before it is refused. */
const checkTree = (root: unknown): JsonResult | undefined => {
  const open: { readonly node: unknown; readonly depth: number }[] = [{ node: root, depth: 1 }];
  let keys = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { node, depth } = at;
    if (typeof node !== 'object' || node === null) continue;
    if (depth > depthMax)
      return refuse('too-deep', `The body is nested deeper than ${depthMax} levels.`);
    for (const [key, child] of Object.entries(node)) {
      keys += 1;
      if (keys > keysMax)
        return refuse('too-many-keys', `The body has more than ${keysMax} members.`);
      if (key === '__proto__' || key === 'constructor' || key === 'prototype')
        return refuse('forbidden-key', 'A member is called __proto__, constructor or prototype.');
      open.push({ node: child, depth: depth + 1 });
    }
  }
  return undefined;
};
