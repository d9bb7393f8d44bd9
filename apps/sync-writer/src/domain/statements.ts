import type {
  ExternalId,
  Fields,
  RecordType,
  Relation,
  SourceEvent,
} from '@counterpart/sync-model';

/** What one event says about one record: its own, or one that it mentions. */
export interface Statement {
  readonly recordType: RecordType;
  readonly externalId: ExternalId | null;
  readonly fields: Fields;
  readonly standing: 'main' | 'mention';
  /** Longest chain of mentioned records below it: a company is 0, its contact 1, their meeting 2. */
  readonly depth: number;
  /** Indexes of the statements it is to be associated with. */
  readonly related: readonly number[];
}

const depthOf = (relations: readonly Relation[]): number =>
  relations.reduce((deepest, relation) => Math.max(deepest, 1 + depthOf(relation.relations)), 0);

/**
 * Flattens an event into statements, mentioned records first, so that everything a record refers
 * to is resolved and written before it. The last statement is the event's own record.
 */
export const statementsOf = (event: SourceEvent): readonly Statement[] => {
  const statements: Statement[] = [];
  const add = (relation: Relation): number => {
    const related = relation.relations.map(add);
    statements.push({
      recordType: relation.recordType,
      externalId: relation.externalId,
      fields: relation.fields,
      standing: 'mention',
      depth: depthOf(relation.relations),
      related,
    });
    return statements.length - 1;
  };
  const related = event.relations.map(add);
  statements.push({
    recordType: event.recordType,
    externalId: event.externalId,
    fields: event.fields,
    standing: 'main',
    depth: depthOf(event.relations),
    related,
  });
  return statements;
};

/**
 * Order in which record types are written, so that no type waits for a later one. A type's rank is
 * the deepest place at which any event of the batch uses it.
 */
export const ranksOf = (
  batch: readonly (readonly Statement[])[],
): ReadonlyMap<RecordType, number> => {
  const ranks = new Map<RecordType, number>();
  for (const statement of batch.flat()) {
    ranks.set(
      statement.recordType,
      Math.max(ranks.get(statement.recordType) ?? 0, statement.depth),
    );
  }
  return ranks;
};
