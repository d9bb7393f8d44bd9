/** An answer's body is whatever came over the wire: every part is looked at before it is used. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Undefined for a body that is no JSON object: empty, HTML of a proxy, a list, a bare value. */
export const parseObject = (text: string): JsonObject | undefined => {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
};

export const asObject = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;

export const objectAt = (object: JsonObject, key: string): JsonObject | undefined =>
  asObject(valueAt(object, key));

export const textAt = (object: JsonObject, key: string): string | undefined => {
  const value = valueAt(object, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** The objects of a list; undefined when it is no list, so that "empty" and "missing" differ. */
export const objectsAt = (object: JsonObject, key: string): readonly JsonObject[] | undefined => {
  const value = valueAt(object, key);
  if (!Array.isArray(value)) return undefined;
  return value.map(asObject).filter((item) => item !== undefined);
};

/** HubSpot gives context values as lists, some as a single text; both read as a list. */
export const textsAt = (object: JsonObject, key: string): readonly string[] => {
  const value = valueAt(object, key);
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item) => typeof item === 'string');
};

/** Ids are texts in the object APIs and numbers in a few old corners. */
export const idAt = (object: JsonObject, key: string): string | undefined => {
  const value = valueAt(object, key);
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

const valueAt = (object: JsonObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;
