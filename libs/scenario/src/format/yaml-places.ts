import { LineCounter, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';

export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface ReadYaml {
  /** Plain data; undefined when the text is not YAML. */
  readonly data: unknown;
  readonly syntaxFaults: readonly (Place & { readonly message: string })[];
  /** Where a path (`['steps', 0, 'push']`) stands: the key of its last part that exists. */
  placeOf(path: readonly (string | number)[]): Place;
}

/** Reads YAML and keeps the way back from a path to its line. */
export function readYaml(text: string): ReadYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const syntaxFaults = document.errors.map((error) => ({
    ...placeAt(error.pos[0]),
    message: error.message,
  }));
  return {
    data: syntaxFaults.length > 0 ? undefined : document.toJS(),
    syntaxFaults,
    placeOf: (path) => placeAt(offsetOf(document.contents, path)),
  };
}

function offsetOf(root: unknown, path: readonly (string | number)[]): number {
  let node = root;
  let offset = startOf(root);
  for (const part of path) {
    if (isSeq(node) && typeof part === 'number') {
      node = node.items[part];
      if (node === undefined) return offset;
      offset = startOf(node);
      continue;
    }
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
      : undefined;
    if (!pair) return offset;
    offset = startOf(pair.key);
    node = pair.value;
  }
  return offset;
}

const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);
