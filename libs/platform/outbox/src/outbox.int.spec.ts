import type { Db } from '@counterpart/platform-postgres';
import { emptyDatabase, eventually, type EmptyDatabase } from '@counterpart/testing';
import { appendOutbox } from './append.js';
import type { OutboxMessage, OutboxProducer } from './outbox-message.js';
import { countOutbox } from './outbox-table.js';
import { createRelay, type OutboxRelay, type RelayOptions } from './relay.js';

const SCHEMA = 't';
let scratch: EmptyDatabase;
let db: Db;
const relays: OutboxRelay[] = [];

beforeAll(async () => {
  scratch = await emptyDatabase(['reconciler']);
  db = scratch.as('reconciler_owner');
  await db.query(`create schema ${SCHEMA}`);
  await db.query(`create table t.outbox (
    id bigserial primary key, bucket smallint not null, topic text not null, key text not null,
    value bytea, headers jsonb not null default '{}', created_at timestamptz not null default now())`);
  await db.query('create index on t.outbox (bucket, id)');
  await db.query(`create table t.outbox_owner (
    bucket smallint primary key, owner text, lease_until timestamptz, epoch bigint not null default 0)`);
});
afterAll(() => scratch.drop());
beforeEach(() => db.query('truncate t.outbox, t.outbox_owner'));
afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
});

/** A broker that remembers what it stored, in order. */
class Broker implements OutboxProducer {
  readonly stored: OutboxMessage[] = [];
  readonly sends: (readonly OutboxMessage[])[] = [];
  before: (messages: readonly OutboxMessage[], nth: number) => Promise<void> | void = () =>
    undefined;
  after: (messages: readonly OutboxMessage[], nth: number) => Promise<void> | void = () =>
    undefined;

  async send(messages: readonly OutboxMessage[]): Promise<void> {
    const nth = this.sends.push(messages);
    await this.before(messages, nth);
    this.stored.push(...messages);
    await this.after(messages, nth);
  }

  /** First deliveries per key, as texts. */
  byKey(): Record<string, string[]> {
    const seen = new Set<string | undefined>();
    const result: Record<string, string[]> = {};
    for (const message of this.stored) {
      const id = message.headers['message-id'];
      if (seen.has(id)) continue;
      seen.add(id);
      (result[message.key] ??= []).push(String(message.value));
    }
    return result;
  }
}

const start = (broker: OutboxProducer, options: Partial<RelayOptions> = {}): OutboxRelay => {
  const relay = createRelay({
    db,
    schema: SCHEMA,
    producer: broker,
    clock: { monotonicMs: () => performance.now() },
    instanceId: `relay-${relays.length}`,
    ...options,
  });
  relays.push(relay);
  relay.start();
  return relay;
};
const message = (key: string, text: string | null): OutboxMessage => ({
  topic: 'topic',
  key,
  value: text === null ? null : Buffer.from(text),
  headers: {},
});
const append = (...messages: OutboxMessage[]): Promise<void> =>
  db.transaction((tx) => appendOutbox(tx, SCHEMA, messages));
const drained = (): Promise<void> =>
  eventually(async () =>
    expect(await db.query('select count(*) as n from t.outbox')).toEqual([{ n: 0 }]),
  );
const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => String(from + i));

/** One writer per key, as a lane or a row lock makes it; each transaction appends a few. */
async function write(keys: number, each: number): Promise<Record<string, string[]>> {
  const expected: Record<string, string[]> = {};
  await Promise.all(
    Array.from({ length: keys }, async (_, k) => {
      const key = `tenant\u001f${k}`;
      expected[key] = numbers(0, each);
      for (let i = 0; i < each; i += 5) {
        await append(...numbers(i, Math.min(each, i + 5)).map((text) => message(key, text)));
      }
    }),
  );
  return expected;
}

describe('append', () => {
  test('each message gets an id of its own, and what it carries already stays', async () => {
    await append(message('a', 'x'), message('a', null), {
      ...message('b', 'y'),
      headers: { 'message-id': 'mine', traceparent: '00-1-2-01' },
    });
    const rows = await db.query<{
      key: string;
      value: Buffer | null;
      headers: Record<string, string>;
    }>('select key, value, headers from t.outbox order by id');
    expect(rows.map(({ key, value }) => [key, value?.toString() ?? null])).toEqual([
      ['a', 'x'],
      ['a', null],
      ['b', 'y'],
    ]);
    expect(rows[2]?.headers).toEqual({ 'message-id': 'mine', traceparent: '00-1-2-01' });
    const ids = rows.map(({ headers }) => headers['message-id']);
    expect(new Set(ids).size).toBe(3);
  });

  test('what is rolled back was never there', async () => {
    const work = db.transaction(async (tx) => {
      await appendOutbox(tx, SCHEMA, [message('a', 'x')]);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await countOutbox(db, SCHEMA, 'a')).toBe(0);
  });

  test('what a tenant has on the way is counted by its own key', async () => {
    await append(
      message('acme', '1'),
      message('acme\u001fcrm', '2'),
      message('acme2\u001fcrm', '3'),
    );
    expect(await countOutbox(db, SCHEMA, 'acme')).toBe(2);
  });
});

describe('relay', () => {
  test('everything is published once, per key in order, and taken out', async () => {
    const broker = new Broker();
    start(broker, { batchMax: 50 });
    const expected = await write(20, 50);
    await drained();
    expect(broker.byKey()).toEqual(expected);
    expect(broker.stored).toHaveLength(1_000);
  });

  test('two relays share the work without repeating or reordering', async () => {
    const brokers = new Broker();
    start(brokers, { batchMax: 7 });
    start(brokers, { batchMax: 7 });
    const expected = await write(20, 50);
    await drained();
    expect(brokers.byKey()).toEqual(expected);
    expect(brokers.stored).toHaveLength(1_000);
  });

  test('leases that keep changing hands in the middle of sends repeat, and never reorder', async () => {
    const broker = new Broker();
    // Every send takes up to three times the lease, so each relay is robbed again and again.
    const delay = (): Promise<void> =>
      new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    broker.before = delay;
    broker.after = delay;
    for (let i = 0; i < 3; i += 1) start(broker, { batchMax: 40, leaseMs: 20 });
    const expected = await write(10, 30);
    await drained();
    expect(broker.byKey()).toEqual(expected);
    const owners = await db.query<{ epoch: number }>(
      'select max(epoch) as epoch from t.outbox_owner',
    );
    expect(owners[0]?.epoch).toBeGreaterThan(3);
  });

  test('a relay that stops hands over at once', async () => {
    const broker = new Broker();
    const first = start(broker, { leaseMs: 600_000 });
    await append(message('a', '1'));
    await drained();
    start(broker, { leaseMs: 600_000 });
    await first.stop();
    await append(message('a', '2'));
    await drained();
    expect(broker.byKey()).toEqual({ a: ['1', '2'] });
  });

  test('killed between the acknowledgement and the deletion: published twice under one id, in order', async () => {
    const broker = new Broker();
    const never = new Promise<never>(() => undefined);
    const dying: Db = {
      ...db,
      query: (sql, params) => (sql.startsWith('delete') ? never : db.query(sql, params)),
    };
    // Never stopped, as a killed process is not: its lease has to run out.
    createRelay({
      db: dying,
      schema: SCHEMA,
      producer: broker,
      clock: { monotonicMs: () => performance.now() },
      instanceId: 'killed',
      leaseMs: 300,
    }).start();
    await append(message('a', '1'), message('b', '1'), message('a', '2'));
    await eventually(() => expect(broker.stored).toHaveLength(3));
    await append(message('a', '3'));
    start(broker);
    await drained();
    expect(broker.byKey()).toEqual({ a: ['1', '2', '3'], b: ['1'] });
    expect(broker.stored).toHaveLength(7);
    expect(new Set(broker.stored.map(({ headers }) => headers['message-id'])).size).toBe(4);
  });

  test('a batch that was not acknowledged is sent again as it was before anything later', async () => {
    const broker = new Broker();
    broker.before = async (messages, nth) => {
      if (nth > 2) return;
      // The first message is stored, the answer is lost, and more work arrives meanwhile.
      broker.stored.push(...messages.slice(0, 1));
      await append(message('a', `later-${nth}`), message('z', `later-${nth}`));
      throw Object.assign(new Error('cut'), { code: 'timed-out', retriable: true });
    };
    await append(message('a', '1'), message('a', '2'), message('b', '1'));
    start(broker);
    await drained();
    const sends = broker.sends.map((batch) => batch.map(({ headers }) => headers['message-id']));
    expect(sends[1]).toEqual(sends[0]);
    expect(sends[2]).toEqual(sends[0]);
    expect(broker.byKey()).toEqual({
      a: ['1', '2', 'later-1', 'later-2'],
      b: ['1'],
      z: ['later-1', 'later-2'],
    });
  });

  test('a message refused for good stops its key there, and no other key', async () => {
    const broker = new Broker();
    broker.before = (messages) => {
      if (messages.some(({ value }) => String(value) === 'too large')) {
        throw Object.assign(new Error('no'), { code: 'message-too-large', retriable: false });
      }
    };
    start(broker);
    await append(
      message('a', '1'),
      message('bad', '1'),
      message('bad', 'too large'),
      message('a', '2'),
      message('bad', '3'),
    );
    await append(message('bad', '4'), message('c', '1'));
    await eventually(() => expect(broker.byKey()).toEqual({ a: ['1', '2'], bad: ['1'], c: ['1'] }));
    expect(await countOutbox(db, SCHEMA, 'bad')).toBe(3);
    await append(message('a', '3'));
    await eventually(() => expect(broker.byKey()['a']).toEqual(['1', '2', '3']));
  });

  test('a holder that overslept its lease sends nothing new and leaves order alone', async () => {
    const broker = new Broker();
    let asleepMs = 0;
    let release = (): void => undefined;
    const slept = new Promise<void>((resolve) => (release = resolve));
    // The first relay falls asleep between reading its batch and sending it.
    const sleepy: Db = {
      ...db,
      query: async (sql, params) => {
        const rows = await db.query(sql, params);
        if (sql.includes('order by id') && rows.length > 0 && asleepMs === 0) {
          asleepMs = 60_000;
          await slept;
        }
        return rows as never;
      },
    };
    await append(message('a', '1'), message('a', '2'));
    start(broker, {
      db: sleepy,
      leaseMs: 200,
      clock: { monotonicMs: () => performance.now() + asleepMs },
    });
    await eventually(() => expect(asleepMs).toBe(60_000));
    const second = new Broker();
    start(second);
    await drained();
    await append(message('a', '3'));
    await drained();
    release();
    await append(message('a', '4'));
    await drained();
    expect(broker.stored).toEqual([]);
    expect(second.byKey()).toEqual({ a: ['1', '2', '3', '4'] });
  });

  test('a broker that is away for a while delays, and loses nothing', async () => {
    const broker = new Broker();
    broker.before = (_messages, nth) => {
      if (nth <= 4)
        throw Object.assign(new Error('away'), { code: 'broker-unreachable', retriable: true });
    };
    const relay = start(broker);
    await append(message('a', '1'));
    relay.wake();
    await append(message('a', '2'));
    relay.wake();
    await drained();
    expect(broker.byKey()).toEqual({ a: ['1', '2'] });
    expect(broker.sends.length).toBeLessThanOrEqual(6);
  });
});
