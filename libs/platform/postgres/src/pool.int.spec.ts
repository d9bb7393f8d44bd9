import {
  emptyDatabase,
  eventually,
  tcpProxy,
  type EmptyDatabase,
  type TcpProxy,
} from '@counterpart/testing';
import { DbError } from './db-error.js';
import type { Db } from './db.js';
import { createPool } from './pool.js';
import { retryTransaction } from './retry-transaction.js';

let scratch: EmptyDatabase;
let db: Db;
beforeAll(async () => {
  scratch = await emptyDatabase(['reconciler']);
  db = scratch.as('reconciler_owner');
  await db.query('create schema t');
  await db.query('create table t.item (id int primary key, note text)');
});
afterAll(() => scratch.drop());
beforeEach(() => db.query('truncate t.item'));

const caught = async (work: Promise<unknown>): Promise<DbError> => {
  const error = await work.then(
    () => undefined,
    (e: unknown) => e,
  );
  if (!(error instanceof DbError)) throw new Error(`no DbError but ${String(error)}`);
  return error;
};
const count = async (): Promise<number> =>
  (await db.query<{ count: number }>('select count(*) as count from t.item'))[0]?.count ?? -1;

describe('values', () => {
  test('bigint is a number, never a rounded one', async () => {
    expect(await db.query('select 9007199254740991::bigint as n, null::bigint as none')).toEqual([
      { n: 9007199254740991, none: null },
    ]);
    await expect(db.query('select 9007199254740993::bigint as n')).rejects.toThrow();
    expect(await count()).toBe(0);
  });

  test('an error message repeats no value', async () => {
    const refused = await caught(db.query('select $1::uuid', ['ann@example.com']));
    expect(refused).toMatchObject({ code: '22P02', outcomeUnknown: false });
    expect(refused.message).not.toContain('ann');
    await db.query(`insert into t.item values (1, 'ann@example.com')`);
    const twice = await caught(db.query('insert into t.item values (1, null)'));
    expect(twice).toMatchObject({ code: '23505', constraint: 'item_pkey' });
  });
});

describe('transactions', () => {
  test('a throw rolls back and is thrown on', async () => {
    const thrown = new Error('not now');
    const work = db.transaction(async (tx) => {
      await tx.query('insert into t.item values (1, null)');
      throw thrown;
    });
    await expect(work).rejects.toBe(thrown);
    expect(await count()).toBe(0);
  });

  test('a failed statement that was swallowed is no silent rollback', async () => {
    const work = db.transaction(async (tx) => {
      await tx.query('insert into t.item values (1, null)');
      await tx.query('select 1/0').catch(() => undefined);
    });
    expect(await caught(work)).toMatchObject({ code: '25P02', outcomeUnknown: false });
    expect(await count()).toBe(0);
  });

  test('a deadlock is run again until both are through', async () => {
    await db.query(`insert into t.item values (1, ''), (2, '')`);
    const touch = (first: number, second: number, met: Promise<void>, meet: () => void) => {
      let attempts = 0;
      return retryTransaction(db, async (tx) => {
        attempts += 1;
        await tx.query(`update t.item set note = note || 'x' where id = $1`, [first]);
        if (attempts === 1) {
          meet();
          await met;
        }
        await tx.query(`update t.item set note = note || 'x' where id = $1`, [second]);
        return attempts;
      });
    };
    let meetA = (): void => undefined;
    let meetB = (): void => undefined;
    const a = new Promise<void>((resolve) => (meetA = resolve));
    const b = new Promise<void>((resolve) => (meetB = resolve));
    const attempts = await Promise.all([touch(1, 2, b, meetA), touch(2, 1, a, meetB)]);
    expect(Math.max(...attempts)).toBeGreaterThan(1);
    expect(await db.query('select note from t.item')).toEqual([{ note: 'xx' }, { note: 'xx' }]);
  });

  test('a plain error is not run again', async () => {
    let attempts = 0;
    const work = retryTransaction(db, async (tx) => {
      attempts += 1;
      await tx.query('select 1/0');
    });
    expect(await caught(work)).toMatchObject({ code: '22012' });
    expect(attempts).toBe(1);
  });
});

describe('when the connection breaks', () => {
  let proxy: TcpProxy;
  let through: Db;
  beforeEach(async () => {
    const { hostname, port } = new URL(scratch.urlOf('reconciler_owner'));
    proxy = await tcpProxy(hostname, Number(port));
    through = createPool({
      url: proxy.urlFor(scratch.urlOf('reconciler_owner')),
      max: 1,
      name: 'cut',
      statementTimeoutMs: 1_000,
    });
  });
  afterEach(async () => {
    await through.close();
    await proxy.close();
  });

  test('a lost COMMIT answer is an unknown outcome, and the work is stored', async () => {
    const work = through.transaction(async (tx) => {
      await tx.query('insert into t.item values (1, null)');
      proxy.loseAnswers();
    });
    expect(await caught(work)).toMatchObject({ outcomeUnknown: true });
    await eventually(async () => expect(await count()).toBe(1));
  });

  test('a connection lost before COMMIT is a known failure', async () => {
    const work = through.transaction(async (tx) => {
      await tx.query('insert into t.item values (1, null)');
      proxy.cut();
      await tx.query('select 1');
    });
    expect(await caught(work)).toMatchObject({ outcomeUnknown: false });
    expect(await count()).toBe(0);
  });

  test('the pool goes on after an idle connection was cut', async () => {
    await through.query('select 1');
    proxy.cut();
    await eventually(async () =>
      expect(await through.query('select 1 as one')).toEqual([{ one: 1 }]),
    );
  });

  test('a backend that is terminated before COMMIT is a known failure', async () => {
    const killed = await caught(
      through.transaction(async (tx) => {
        await tx.query('select pg_terminate_backend(pg_backend_pid())');
      }),
    );
    expect(killed).toMatchObject({ outcomeUnknown: false });
    expect(await through.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a statement that takes too long is stopped by the server', async () => {
    expect(await caught(through.query('select pg_sleep(10)'))).toMatchObject({ code: '57014' });
    expect(await through.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a database that is not there is said by its code', async () => {
    await proxy.close();
    expect(await caught(through.query('select 1'))).toMatchObject({
      code: 'ECONNREFUSED',
      outcomeUnknown: false,
    });
  });
});
