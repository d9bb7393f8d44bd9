import { asExternalId, asOperationId, asTenantId, hash128 } from '@counterpart/sync-model';
import type { Db } from '@counterpart/platform-postgres';
import { scratchDatabase, uniqueTenant, type ScratchDatabase } from '@counterpart/testing';
import { anEvent, told } from '../../domain/testing-events.js';
import { aReport, aResult, deadLetters, operations, storeOn, take } from '../../testing/gate.js';
import { createGateStore } from './gate-store.js';
import { createOperatorReads } from './operator-reads.js';

let scratch: ScratchDatabase;
beforeEach(async () => {
  scratch = await scratchDatabase('dedupe');
});
afterEach(() => scratch.drop());

const gate = () => storeOn(scratch.db);
const takeTold = async (...events: Parameters<typeof take>[1]) =>
  (await take(gate(), events)).map(told);
const ledger = () =>
  scratch.db.query<{ state: string; outcome: string | null; reason: string }>(
    'select state, outcome, reason from dedupe.event_ledger order by event_key',
  );

describe('an event that comes again', () => {
  const event = anEvent({ fields: { a: 1 } });

  test('is held until its first delivery is settled, then a duplicate; it is handed on once', async () => {
    expect(await takeTold(event)).toEqual(['forward new']);
    expect(await takeTold(event, event)).toEqual([
      'held first-delivery-unsettled',
      'held first-delivery-unsettled',
    ]);
    await gate().settle([aResult(event, 'unknown')], []);
    expect(await ledger()).toEqual([
      { state: 'parked', outcome: 'unknown', reason: 'because-unknown' },
    ]);
    expect(await takeTold(event)).toEqual(['held first-delivery-unsettled']);
    await gate().settle([aResult(event, 'reconciled', { operationVersion: 2 })], []);
    expect(await takeTold(event)).toEqual(['duplicate first-delivery-settled']);
    expect(await operations(scratch.db)).toHaveLength(1);
  });

  test('in one batch it is handed on once', async () => {
    await takeTold(event, event, event);
    expect(await operations(scratch.db)).toHaveLength(1);
  });

  test('with another payload it is a conflict, kept and told of once', async () => {
    await takeTold(event);
    const other = anEvent({ fields: { a: 'nul \0 and half \ud800' } });
    expect(await takeTold(other)).toEqual(['conflict event-key-other-payload']);
    await takeTold(other);
    const kept = await scratch.db.query('select reason, payload from dedupe.event_conflicts');
    expect(kept).toMatchObject([
      {
        reason: 'event-key-other-payload',
        payload: { externalId: 'C1', fields: { a: 'nul \ufffd and half \ufffd' } },
      },
    ]);
    const shown = await createOperatorReads(scratch.db).events('acme', { outcome: null, limit: 9 });
    expect(shown.conflicts).toMatchObject([{ reason: 'event-key-other-payload' }]);
    const ids = (await deadLetters(scratch.db)).map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(1);
    expect(await operations(scratch.db)).toHaveLength(1);
  });

  test('after a batch that was not kept it is new', async () => {
    const broken = createGateStore(scratch.db, () => Promise.reject(new Error('full')));
    await expect(take(broken, [event])).rejects.toThrow('full');
    expect(await ledger()).toEqual([]);
    expect(await takeTold(event)).toEqual(['forward new']);
  });
});

describe('order', () => {
  test('within a batch each event sees what the ones before it did', async () => {
    const at = (revision: string, value: string) =>
      anEvent({ id: `R${revision}`, revision, fields: { a: value } });
    expect(await takeTold(at('2', 'second'), at('1', 'first'), at('3', 'third'))).toEqual([
      'forward new',
      'stale older-fields',
      'forward new',
    ]);
    const passed = await operations(scratch.db);
    expect(passed.map(({ event }) => event.fields['a'])).toEqual(['second', 'third']);
  });

  test('over batches the head is remembered, and the deletion', async () => {
    await takeTold(anEvent({ id: 'two', revision: '2', fields: { a: 'x' } }));
    expect(await takeTold(anEvent({ id: 'one', revision: '1', fields: { a: 'y' } }))).toEqual([
      'stale older-fields',
    ]);
    await takeTold(anEvent({ id: 'gone', revision: '9', kind: 'deleted' }));
    expect(await takeTold(anEvent({ id: 'late', revision: '8', fields: { b: 1 } }))).toEqual([
      'stale before-deletion',
    ]);
  });

  test('a trace and the key go on with the event', async () => {
    const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await take(gate(), [anEvent()], trace);
    expect(await operations(scratch.db)).toMatchObject([
      {
        key: 'acme\u001fcrm\u001fcontact\u001fC1',
        headers: { traceparent: trace, 'message-id': anEvent().eventKey },
      },
    ]);
  });
});

describe('our own writes', () => {
  const ours = aReport(anEvent(), { a: 'W', b: 'W' });

  test('are recognised by fingerprint, field by field', async () => {
    await gate().remember([ours], []);
    expect(await takeTold(anEvent({ id: 'echo', fields: { a: 'W' } }))).toEqual([
      'echo own-values',
    ]);
    expect(await takeTold(anEvent({ id: 'mixed', fields: { b: 'W', c: 'human' } }))).toEqual([
      'forward fields-suppressed',
    ]);
    const [passed] = await operations(scratch.db);
    expect(passed?.event.fields).toEqual({ c: 'human' });
    const suppressed = [{ field: 'b', evidence: `operation:${ours.operationId}` }];
    expect(passed?.gate.suppressed).toEqual(suppressed);
    const kept = await createOperatorReads(scratch.db).events('acme', { outcome: null, limit: 9 });
    expect(kept.events).toContainEqual(expect.objectContaining({ state: 'forwarded', suppressed }));
  });

  test('an edit ends the memory of its field; the way back to our value passes', async () => {
    await gate().remember([ours], []);
    await takeTold(anEvent({ id: 'edit', fields: { a: 'human' } }));
    expect(await takeTold(anEvent({ id: 'back', fields: { a: 'W' } }))).toEqual(['forward new']);
    expect(await takeTold(anEvent({ id: 'b', fields: { b: 'W' } }))).toEqual(['echo own-values']);
  });

  test('a report that comes after a later edit is not remembered', async () => {
    await takeTold(anEvent({ id: 'edit', fields: { a: 'human' }, receivedAtMs: 1000 }));
    await gate().remember([aReport(anEvent(), { a: 'W' }, { writtenAtMs: 900 })], []);
    expect(await takeTold(anEvent({ id: 'back', fields: { a: 'W' } }))).toEqual(['forward new']);
  });

  test('a deletion of ours comes back as an echo', async () => {
    await gate().remember([aReport(anEvent(), {}, { kind: 'deleted' })], []);
    expect(await takeTold(anEvent({ kind: 'deleted' }))).toEqual(['echo own-deletion']);
  });

  test('of a field the newest eight values are remembered, other fields and records untouched', async () => {
    const other = anEvent({ externalId: asExternalId('C2') });
    await gate().remember([aReport(other, { a: 'old' }), ours], []);
    const values = [...Array(12).keys()].map((n) =>
      aReport(anEvent(), { a: n }, { writtenAtMs: 1000 + n }),
    );
    await gate().remember(values.slice(6), []);
    await gate().remember(values.slice(0, 6), []);
    const rows = await scratch.db.query<{ external_id: string; field: string; at: number }>(
      `select external_id, field, array_agg(written_at_ms::int order by written_at_ms) as at
         from dedupe.write_memory group by 1, 2 order by 1, 2`,
    );
    expect(rows).toEqual([
      { external_id: 'C1', field: 'a', at: [1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011] },
      { external_id: 'C1', field: 'b', at: [500] },
      { external_id: 'C2', field: 'a', at: [500] },
    ]);
  });

  test('one value twice in a batch keeps the later operation', async () => {
    const later = asOperationId(hash128('later'));
    await gate().remember(
      [aReport(anEvent(), { a: 'W' }, { operationId: later, writtenAtMs: 700 }), ours],
      [],
    );
    const rows = await scratch.db.query(
      `select operation_id, written_at_ms from dedupe.write_memory where field = 'a'`,
    );
    expect(rows).toEqual([{ operation_id: later, written_at_ms: 700 }]);
  });

  test.each(['constructor', '__proto__', 'hasOwnProperty'])(
    'a field may be called %s',
    async (name) => {
      const fields = Object.fromEntries([[name, 'W']]);
      await gate().remember([aReport(anEvent(), fields)], []);
      expect(await takeTold(anEvent({ id: 'echo', fields }))).toEqual(['echo own-values']);
      const edited = Object.fromEntries([[name, 'human']]);
      expect(await takeTold(anEvent({ id: 'edit', fields: edited }))).toEqual(['forward new']);
      expect(await takeTold(anEvent({ id: 'back', fields }))).toEqual(['forward new']);
    },
  );
});

describe('results', () => {
  test('the worst one speaks for an event with several operations; strangers are passed over', async () => {
    const event = anEvent({ fields: { a: 1 } });
    await takeTold(event);
    const second = asOperationId(hash128('second'));
    await gate().settle(
      [
        aResult(anEvent({ id: 'never seen' }), 'applied'),
        aResult(event, 'applied'),
        aResult(event, 'needs-review', { operationId: second }),
      ],
      [],
    );
    expect(await ledger()).toMatchObject([{ state: 'parked', outcome: 'needs-review' }]);
    await gate().settle(
      [aResult(event, 'applied', { operationId: second, operationVersion: 2 })],
      [],
    );
    expect(await ledger()).toMatchObject([{ state: 'settled', outcome: 'applied' }]);
    await gate().settle([aResult(event, 'needs-review', { operationId: second })], []);
    expect(await ledger()).toMatchObject([{ state: 'settled', outcome: 'applied' }]);
  });

  test('of another tenant with the same event key change nothing', async () => {
    const event = anEvent({ fields: { a: 1 } });
    await takeTold(event);
    await gate().settle([aResult(event, 'applied', { tenantId: asTenantId(uniqueTenant()) })], []);
    expect(await ledger()).toMatchObject([{ state: 'forwarded', outcome: null }]);
  });
});

/** Counts statements and transactions on their way to PostgreSQL. */
const counting = (db: Db) => {
  const counts = { statements: 0, transactions: 0 };
  const counted: Db = {
    ...db,
    transaction: (work) => {
      counts.transactions += 1;
      return db.transaction((tx) =>
        work({
          query: (sql, params) => {
            counts.statements += 1;
            return tx.query(sql, params);
          },
        }),
      );
    },
  };
  return { db: counted, counts };
};

test('a batch of 500 is one transaction of a handful of statements', async () => {
  const { db, counts } = counting(scratch.db);
  const events = [...Array(500).keys()].map((n) =>
    anEvent({ id: `E${n}`, externalId: asExternalId(`C${n % 200}`), fields: { a: n } }),
  );
  await storeOn(db).remember(
    events.map((event) => aReport(event, { a: 'W', b: 'W' })),
    [],
  );
  Object.assign(counts, { statements: 0, transactions: 0 });
  await take(storeOn(db), [...events, anEvent({ id: 'E0', fields: { a: 'other' } })]);
  expect(counts.transactions).toBe(1);
  expect(counts.statements).toBeLessThanOrEqual(10);
  const writers = await scratch.db.query(
    'select distinct xmin::text from dedupe.event_ledger union select xmin::text from dedupe.outbox',
  );
  expect(writers).toHaveLength(1);
  expect(await operations(scratch.db)).toHaveLength(500);
});
