/**
 * HubSpot's three spellings of an object type: the name in paths (`contacts`), the word in webhook
 * subscriptions (`contact`), the id in generic events (`0-1`). A custom object has only its id.
 */
interface ObjectSpelling {
  readonly name: string;
  readonly word: string | null;
  readonly typeId: string;
}

const spellings: readonly ObjectSpelling[] = [
  { name: 'contacts', word: 'contact', typeId: '0-1' },
  { name: 'companies', word: 'company', typeId: '0-2' },
  { name: 'deals', word: 'deal', typeId: '0-3' },
  { name: 'tickets', word: 'ticket', typeId: '0-5' },
  { name: 'products', word: 'product', typeId: '0-7' },
  { name: 'line_items', word: 'line_item', typeId: '0-8' },
  { name: 'meetings', word: null, typeId: '0-47' },
  { name: 'calls', word: null, typeId: '0-48' },
];

const nameByWord = new Map(spellings.map(({ word, name }) => [word, name]));
const nameByTypeId = new Map(spellings.map(({ typeId, name }) => [typeId, name]));

/** Object name of a subscription's first word; undefined for `object`, `conversation` and others. */
export const objectOfWord = (word: string): string | undefined => nameByWord.get(word);

/** Object name of a type id. A custom object is named by its id (`2-345`) in paths as well. */
export const objectOfTypeId = (typeId: string): string => nameByTypeId.get(typeId) ?? typeId;

/** Our own property on records of any type: holds the marker, and HubSpot keeps it unique. */
export const uniqueKeyProperty = 'counterpart_key';

/**
 * Where the marker goes when our own property is not allowed: a standard property that people do
 * not fill by hand. Only meetings have one; a company is found by its match field instead.
 */
const markerProperties: ReadonlyMap<string, string> = new Map([
  ['meetings', 'hs_meeting_external_url'],
]);

/** The standard property that can hold a marker for this object; undefined when there is none. */
export const markerPropertyOf = (objectName: string): string | undefined =>
  markerProperties.get(objectName);

/** The marker as stored in such a property. A URN, because the property is shown as an address. */
export const markerText = (marker: string): string => `urn:counterpart:${marker}`;
