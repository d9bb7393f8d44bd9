/** One kind of link, in one direction. */
export interface AssociationType {
  readonly from: string;
  readonly to: string;
  readonly typeId: number;
  readonly label: string | null;
  /** The same link as seen from the other end. */
  readonly inverseTypeId: number;
}

type Row = [from: string, to: string, typeId: number, inverseTypeId: number, label?: string];

/** HubSpot's own link types between the standard objects. */
const ROWS: readonly Row[] = [
  ['contacts', 'companies', 279, 280],
  ['contacts', 'companies', 1, 2, 'Primary'],
  ['deals', 'contacts', 3, 4],
  ['deals', 'companies', 341, 342],
  ['deals', 'companies', 5, 6, 'Primary'],
  ['tickets', 'contacts', 16, 15],
  ['tickets', 'companies', 339, 340],
  ['tickets', 'companies', 26, 25, 'Primary'],
  ['meetings', 'contacts', 200, 199],
  ['meetings', 'companies', 188, 187],
  ['meetings', 'deals', 212, 211],
  ['calls', 'contacts', 194, 193],
  ['calls', 'companies', 182, 181],
  ['calls', 'deals', 206, 205],
  ['notes', 'contacts', 202, 201],
  ['notes', 'companies', 190, 189],
  ['tasks', 'contacts', 204, 203],
  ['tasks', 'companies', 192, 191],
];

const BY_DIRECTION: readonly AssociationType[] = ROWS.flatMap(
  ([from, to, typeId, inverse, label]) => [
    { from, to, typeId, inverseTypeId: inverse, label: label ?? null },
    { from: to, to: from, typeId: inverse, inverseTypeId: typeId, label: label ?? null },
  ],
);

/** Types from 10 000 on stand for pairs HubSpot has no fixed number for (custom objects, same type). */
function inventedType(from: string, to: string): AssociationType {
  const pair = [from, to].sort().join('/');
  const base = 10_000 + [...pair].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) % 40_000, 7) * 2;
  const forward = from <= to ? base : base + 1;
  const inverse = from === to ? forward : from <= to ? base + 1 : base;
  return { from, to, typeId: forward, inverseTypeId: inverse, label: null };
}

/** The unlabelled link between two types, which the "default" endpoints create. */
export const defaultAssociation = (from: string, to: string): AssociationType =>
  BY_DIRECTION.find((type) => type.from === from && type.to === to && type.label === null) ??
  inventedType(from, to);

/** The "primary company" link, where the pair has one. */
export const primaryAssociation = (from: string, to: string): AssociationType | undefined =>
  BY_DIRECTION.find((type) => type.from === from && type.to === to && type.label === 'Primary');

/** A link type by its number, as seen from `from`. */
export const associationOf = (from: string, typeId: number): AssociationType | undefined =>
  BY_DIRECTION.find((type) => type.from === from && type.typeId === typeId);

/** All link types of a pair, as the labels endpoint lists them. */
export const associationsBetween = (from: string, to: string): readonly AssociationType[] => {
  const known = BY_DIRECTION.filter((type) => type.from === from && type.to === to);
  return known.length > 0 ? known : [inventedType(from, to)];
};
