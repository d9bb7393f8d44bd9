import { eventually } from '@counterpart/testing';
import {
  asEventKey,
  asExternalId,
  hash128,
  type OperationId,
  type SourceEvent,
  type SyncResult,
} from '@counterpart/sync-model';
import type { Db } from '@counterpart/platform-postgres';
import type { RecordCapabilities } from '@counterpart/crm-port';
import { keepOperations } from '../adapters/outbound/inbox.js';
import type { LaneRunner } from '../application/run-lanes.js';
import { crm, event } from './builders.js';

/** A CRM in which only a search can tell what a lost create has left. */
export const searchOnly: RecordCapabilities = {
  createPath: 'search-only',
  strongProbe: false,
  findBeforeCreate: true,
  batchMax: 100,
};
/** A CRM that refuses a second record with one address. */
export const enforced: RecordCapabilities = {
  createPath: 'conflict-adopt',
  strongProbe: true,
  findBeforeCreate: false,
  batchMax: 100,
};

/** A meeting with one new person of one new company, always the same two. */
export const meeting = (n: number): SourceEvent =>
  event({
    recordType: 'meeting',
    externalId: asExternalId(`m-${n}`),
    kind: 'created',
    fields: { title: `Meeting ${n}` },
    relations: [
      {
        role: 'attendee',
        recordType: 'contact',
        externalId: null,
        fields: { email: 'ada@example.com', firstName: 'Ada' },
        relations: [
          {
            role: 'company',
            recordType: 'company',
            externalId: null,
            fields: { domain: 'example.com' },
            relations: [],
          },
        ],
      },
    ],
  });

/** Puts events into the inbox, as the gate would hand them over. */
export const pushTo = (db: Db, events: readonly SourceEvent[]) =>
  keepOperations(
    db,
    events.map((one) => ({
      operation: { event: one, gate: { reason: 'new', suppressed: [], decidedAtMs: 0 } },
      traceparent: null,
    })),
  );

/** Runs rounds of all workers until no lane is open; each round starts when work may be due. */
export const drainAll = (db: Db, workers: readonly LaneRunner[], timeoutMs = 20_000) =>
  eventually(
    async () => {
      await Promise.all(workers.map((worker) => worker.round()));
      const [row] = await db.query<{ open: number }>(
        `select count(*)::int as open from sync.lanes where state = 'open'`,
      );
      expect(row?.open).toBe(0);
    },
    { timeoutMs },
  );

/** Operations by outcome. */
export const outcomesIn = (db: Db) =>
  db.query<{ outcome: string; n: number }>(
    `select outcome, count(*)::int as n from sync.operations group by 1 order by 1`,
  );

/** Runs rounds until an operation's outcome is unknown; answers how the ledger names it. */
export const untilUnknown = (db: Db, worker: LaneRunner, attempts = 1) =>
  eventually(async () => {
    await worker.round();
    const [row] = await db.query<{ operation_id: string; version: number }>(
      `select operation_id, version from sync.operations where state = 'unknown' and attempts = $1`,
      [attempts],
    );
    expect(row).toBeDefined();
    return {
      operationId: (row?.operation_id ?? '') as OperationId,
      operationVersion: row?.version ?? -1,
    };
  });

/** What the reconciler says after its `probe`-th look. */
export const readback = (
  recordType: string,
  finding: SourceEvent['readback'] & object,
  probe = 1,
): SourceEvent =>
  event({
    sourceId: crm,
    recordType,
    externalId: asExternalId(`op:${finding.operationId}`),
    eventKey: asEventKey(
      hash128(`${finding.operationId}|${finding.operationVersion}|${String(probe)}`),
    ),
    kind: 'readback',
    readback: finding,
  });

export const absent = { verdict: 'absent', externalId: null, stored: {} } as const;

/** The results told so far, in order. */
export const toldIn = async (db: Db): Promise<readonly SyncResult[]> => {
  const rows = await db.query<{ value: Buffer }>(
    `select value from sync.outbox where topic = 'counterpart.sync-results.v1' order by id`,
  );
  return rows.map(({ value }) => JSON.parse(value.toString()) as SyncResult);
};
