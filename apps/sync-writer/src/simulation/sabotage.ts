import type { WriteStore } from '../application/ports.js';
import type { MemoryTables } from './memory-tables.js';

/** A fault built into the protocol on purpose, so that we know the checker sees it. */
export type Sabotage =
  /** A claim somebody holds is simply taken. */
  | 'claim-ignored'
  /** A request whose sender is gone is sent again. */
  | 'retry-on-unknown'
  /** Whoever comes with an ending may commit it. */
  | 'fence-removed'
  /** A look that finds nothing is believed at once. */
  | 'absence-believed-early'
  /** Who was overtaken in a lane goes on as its owner. */
  | 'lane-epoch-ignored';

export const sabotages: readonly Sabotage[] = [
  'claim-ignored',
  'retry-on-unknown',
  'fence-removed',
  'absence-believed-early',
  'lane-epoch-ignored',
];

/** The write store, spoiled. */
export const spoiledWrites = (
  store: WriteStore,
  tables: MemoryTables,
  sabotage: Sabotage | null,
): WriteStore => {
  switch (sabotage) {
    case 'claim-ignored':
      return {
        ...store,
        claim(requests, decide) {
          for (const { claimKey } of requests) tables.claims.delete(claimKey);
          return store.claim(requests, decide);
        },
      };
    case 'retry-on-unknown':
      return {
        ...store,
        claim: (requests, decide) =>
          store.claim(requests, {
            ...decide,
            held(row, strongProbe) {
              const verdict = decide.held(row, strongProbe);
              return verdict.kind === 'wait' ? verdict : { kind: 'take-over' };
            },
          }),
      };
    case 'fence-removed':
      return {
        ...store,
        settle: (settlements) =>
          store.settle(
            settlements.map((settlement) => ({
              ...settlement,
              token: tables.claims.get(settlement.claimKey)?.token ?? settlement.token,
              operation: {
                ...settlement.operation,
                version:
                  tables.operations.get(settlement.operation.operationId)?.operation.version ?? 0,
              },
            })),
          ),
      };
    case 'absence-believed-early':
    case 'lane-epoch-ignored':
    case null:
      return store;
    default:
      return sabotage satisfies never;
  }
};
