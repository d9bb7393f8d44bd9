import type { EndedWorld } from './sim-world.js';

/** What a world at its end must never show; empty when it is sound. */
export const violationsIn = (world: EndedWorld): readonly string[] => [
  ...world.broken.map((error) => `our own fault: ${error}`),
  ...restless(world),
  ...counted(world, 'contact', 'email', world.people),
  ...counted(world, 'company', 'domain', world.companies),
  ...counted(world, 'meeting', 'title', world.meetings),
  ...unsettled(world),
  ...different(world),
  ...lostEdits(world),
];

const restless = ({ isAtRest, tables }: EndedWorld): readonly string[] => {
  if (isAtRest) return [];
  const open = [...tables.lanes.values()].filter((lane) => lane.isOpen).length;
  return [
    `it never came to rest: ${String(open)} lanes open, ${String(tables.claims.size)} claims`,
  ];
};

/** Exactly one record for each key: none twice, none missing. */
const counted = (
  { crm }: EndedWorld,
  type: string,
  field: string,
  keys: readonly string[],
): readonly string[] =>
  keys.flatMap((key) => {
    const records = [...crm.records.values()].filter(
      (record) => record.type === type && record.fields[field] === key,
    );
    return records.length === 1 ? [] : [`${String(records.length)} records of ${type} ${key}`];
  });

const unsettled = ({ tables }: EndedWorld): readonly string[] =>
  [...tables.operations.values()].flatMap(({ operation, reason }) =>
    ['planned', 'attempting', 'unknown', 'held', 'refused'].includes(operation.state)
      ? [`an operation ended as ${operation.state}: ${operation.action} ${reason}`]
      : [],
  );

/** The entity and its record say the same of what nobody else owns. */
const different = ({ tables, crm }: EndedWorld): readonly string[] =>
  [...tables.mappings.values()].flatMap((mapping) => {
    const record = mapping.exclusive ? crm.records.get(mapping.externalId) : undefined;
    const entity = tables.entities.get(mapping.entityId);
    return ['email', 'phone', 'firstName', 'domain', 'title'].flatMap((field) => {
      const [ours, theirs] = [entity?.fields[field], record?.fields[field]];
      return record === undefined || ours === theirs
        ? []
        : [`${field} is ${String(ours)} here and ${String(theirs)} there`];
    });
  });

/** Of all that was said of a phone, the last is what is there. */
const lostEdits = ({ sayings, crm, people }: EndedWorld): readonly string[] =>
  people.flatMap((email) => {
    const said = sayings.filter((saying) => saying.email === email);
    const last = said.reduce<(typeof said)[number] | undefined>(
      (latest, one) => (latest === undefined || one.atMs > latest.atMs ? one : latest),
      undefined,
    );
    const record = [...crm.records.values()].find(({ fields }) => fields['email'] === email);
    return last === undefined || record?.fields['phone'] === last.phone
      ? []
      : [`the last phone said was ${last.phone}, there is ${String(record?.fields['phone'])}`];
  });
