import {
  openPortal,
  startSim,
  until,
  type DrivenPortal,
  type Json,
} from '../testing/sim-driver.js';
import { VirtualClock } from '../portals/clock.js';
import type { RunningCrmSim } from '../server/crm-sim-server.js';

const CONTACTS = '/crm/v3/objects/contacts';

describe('faults on the wire', () => {
  let sim: RunningCrmSim;
  let portal: DrivenPortal;
  /** A simulator in which time stands still. */
  let still: RunningCrmSim | undefined;
  beforeAll(async () => void (sim = await startSim()));
  beforeEach(async () => void (portal = await openPortal(sim)));
  afterEach(() => still?.close());
  afterAll(() => sim.close());

  const fault = (rule: object) => portal.control('POST', 'faults', rule as Record<string, unknown>);
  const create = (init?: RequestInit) =>
    portal.api('POST', CONTACTS, { properties: { email: 'a@x.com' } }, init);
  const calls = async () =>
    (await portal.control('GET', 'calls')).body['calls'] as unknown as Json[];
  const lastCall = async () => (await calls()).at(-1) as Json;
  const count = async () =>
    Number((await portal.control('GET', 'counts')).body['records']?.['contacts'] ?? 0);

  it('commit-no-answer leaves a record and a silent client', async () => {
    await fault({ match: { kind: 'create' }, nth: 1, fault: { type: 'commit-no-answer' } });
    const leave = new AbortController();
    const asked = create({ signal: leave.signal });
    const gone = expect(asked).rejects.toThrow();
    await until(async () => (await count()) === 1);
    leave.abort();
    await gone;
    expect(await lastCall()).toMatchObject({
      fault: 'commit-no-answer',
      committed: true,
      status: null,
      answeredAtMs: null,
    });
    expect((await create()).status).toBe(409);
  });

  it.each([
    ['reset-before', 0],
    ['reset-after', 1],
    ['cut-answer', 1],
  ])('%s breaks the connection with %d record', async (type, records) => {
    await fault({ times: 1, fault: { type } });
    await expect(create()).rejects.toThrow();
    expect(await count()).toBe(records);
    expect(await lastCall()).toMatchObject({ fault: type, committed: records === 1, status: null });
  });

  it('a client that leaves early does not stop a create under way', async () => {
    await portal.control('PATCH', 'behaviour', { createLatencyMs: [80, 80] });
    const leave = new AbortController();
    const gone = expect(create({ signal: leave.signal })).rejects.toThrow();
    await until(async () => (await calls()).length === 1);
    leave.abort();
    await gone;
    await until(async () => (await count()) === 1);
  });

  it('delay before the commit makes a late record, delay after it a late answer', async () => {
    await fault({ nth: 1, fault: { type: 'delay', delayMs: 600 } });
    const late = create();
    await until(
      async () =>
        Number((await portal.control('GET', 'counts')).body['calls']?.['create'] ?? 0) === 1,
    );
    expect(await count()).toBe(0);
    expect((await late).status).toBe(201);
    await portal.control('DELETE', 'faults');
    await fault({ nth: 1, fault: { type: 'delay', delayMs: 600, afterCommit: true } });
    const other = portal.api('POST', CONTACTS, { properties: { email: 'b@x.com' } });
    await until(async () => (await count()) === 2);
    expect((await lastCall())['status']).toBeNull();
    expect((await other).status).toBe(201);
  });

  it('hold-answer keeps the answer until it is released', async () => {
    await fault({ nth: 1, fault: { type: 'hold-answer' } });
    const held = create();
    await until(
      async () =>
        (await portal.control('GET', 'faults')).body['faults']?.[0]?.['holding'] as unknown,
    );
    expect(await count()).toBe(1);
    expect(await lastCall()).toMatchObject({ committed: true, status: null });
    expect((await portal.control('POST', 'release')).body).toEqual({ released: 1 });
    expect((await held).status).toBe(201);
  });

  it.each([
    [{ status: 503 }, 503, 0],
    [{ status: 502, afterCommit: true }, 502, 1],
    [{ status: 423 }, 423, 0],
    [{ status: 477, retryAfter: 86_400 }, 477, 0],
    [{ status: 200, body: '' }, 200, 0],
  ])('status %j', async (what, status, records) => {
    await fault({ nth: 1, fault: { type: 'status', ...what } });
    expect((await create()).status).toBe(status);
    expect(await count()).toBe(records);
  });

  it('429 with Retry-After and a policy, as asked', async () => {
    await fault({
      nth: 1,
      fault: { type: 'status', status: 429, policyName: 'DAILY', retryAfter: 3 },
    });
    const answer = await create();
    expect(answer.headers.get('retry-after')).toBe('3');
    expect(answer.body).toMatchObject({ policyName: 'DAILY', errorType: 'RATE_LIMIT' });
  });

  it('html-500 answers a page', async () => {
    await fault({ nth: 1, fault: { type: 'html-500' } });
    const answer = await create();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([500, 'text/html']);
    expect(String(answer.body['text'])).toMatch('<html>');
  });

  it('a fault on a call that is refused anyway has not committed', async () => {
    await create();
    await fault({ nth: 1, fault: { type: 'reset-after' } });
    await expect(create()).rejects.toThrow();
    expect(await lastCall()).toMatchObject({ fault: 'reset-after', committed: false });
  });

  it('real limits: 429 beyond the window, headers before it, none on search', async () => {
    still = await startSim(new VirtualClock(1_700_000_000_000));
    portal = await openPortal(still);
    await portal.control('PATCH', 'behaviour', {
      rateLimit: { perTenSeconds: 3, searchPerSecond: 1 },
    });
    const read = () => portal.api('GET', CONTACTS);
    const search = () => portal.api('POST', `${CONTACTS}/search`, {});
    expect((await read()).headers.get('x-hubspot-ratelimit-remaining')).toBe('2');
    const found = await search();
    expect([found.status, found.headers.get('x-hubspot-ratelimit-max')]).toEqual([200, null]);
    expect((await search()).body).toMatchObject({ policyName: 'SECONDLY' });
    expect((await read()).status).toBe(200);
    const refused = await read();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, null]);
    expect(refused.body).toMatchObject({
      policyName: 'TEN_SECONDLY_ROLLING',
      errorType: 'RATE_LIMIT',
    });
    expect(await lastCall()).toMatchObject({
      status: 429,
      limited: 'TEN_SECONDLY_ROLLING',
      fault: null,
    });
  });
});
