import type { HttpOutcome } from '@counterpart/crm-port';
import { asExternalId } from '@counterpart/sync-model';
import { createHubspotAdapter } from '../adapter.js';
import { ok, world, item, found, all, contact } from '../testing/scripted-world.js';

describe('deadline and budget', () => {
  it('without budget nothing is sent', async () => {
    const { adapter, calls, grants } = world([all([])]);
    grants.push({ ok: false, retryAtMs: 77 });
    expect(await adapter.create('contact', [item('a@x.io')])).toEqual([
      { kind: 'throttled', retryAtMs: 77, code: 'quota' },
    ]);
    expect(calls).toEqual([]);
  });

  it('the parts of one create share one deadline; what comes too late is not sent', async () => {
    const { adapter, calls, clock } = world([
      (call) => {
        clock.now += 6_000;
        return call.sent.inputs.length > 1
          ? ok({ category: 'VALIDATION_ERROR' }, 400)
          : all([found('1')]);
      },
    ]);
    const results = await adapter.create(
      'contact',
      ['a', 'b'].map((n) => item(`${n}@x.io`)),
    );
    expect(calls.map((call) => call.deadlineMs)).toEqual([1_010_000, 1_010_000]);
    expect(results).toMatchObject([{ kind: 'confirmed' }, { kind: 'unsent', code: 'deadline' }]);
  });

  it('a process that was paused while it asked for budget does not write', async () => {
    const { adapter, calls, clock, grants } = world([all([])]);
    const pausing = {
      get ok() {
        clock.now += 60_000;
        return true;
      },
    } as never;
    grants.push(pausing);
    expect(await adapter.create('contact', [item('a@x.io')])).toEqual([
      { kind: 'unsent', code: 'deadline' },
    ]);
    expect(calls).toEqual([]);
  });

  it.each<[string, HttpOutcome, [number, string][]]>([
    [
      'a limit',
      {
        ...ok({ policyName: 'TEN_SECONDLY_ROLLING' }, 429),
        headers: { 'retry-after': '3' },
      } as HttpOutcome,
      [[3_000, 'limit-ten-secondly']],
    ],
    ['a moving account', ok('', 477), [[60_000, 'account-moving']]],
    ['a locked record', ok('', 423), []],
    [
      'a spent window',
      {
        ...all([]),
        headers: {
          'x-hubspot-ratelimit-remaining': '0',
          'x-hubspot-ratelimit-interval-milliseconds': '10000',
        },
      } as HttpOutcome,
      [[10_000, 'limit-window']],
    ],
    ['an error', ok('', 500), []],
  ])('%s: the pause it asks for', async (_name, answer, expected) => {
    const { adapter, pauses } = world([answer]);
    await adapter.update('contact', [
      { externalId: asExternalId('1'), fields: { firstName: 'A' }, expectedVersion: null },
    ]);
    expect(pauses).toEqual(expected);
  });

  it('nothing the budget or the network does is thrown', async () => {
    const connection = {
      records: [contact],
      baseUrl: 'https://a.example',
      settings: {},
      timing: { requestDeadlineMs: 1 },
    };
    const clock = { nowMs: () => 0, monotonicMs: () => 0 };
    const fails = () => Promise.reject(new Error('down'));
    const build = (ports: object) =>
      createHubspotAdapter(connection as never, { clock, ...ports } as never);
    const update = [
      { externalId: asExternalId('1'), fields: { firstName: 'A' }, expectedVersion: null },
    ];
    const noBudget = build({ http: fails, budget: { take: fails, pause: fails } });
    expect(await noBudget.update('contact', update)).toEqual([
      { kind: 'unsent', code: 'budget-unavailable' },
    ]);
    const grant = () => Promise.resolve({ ok: true });
    const noHttp = build({ http: fails, budget: { take: grant, pause: fails } });
    expect(await noHttp.update('contact', update)).toEqual([
      { kind: 'unknown', code: 'http-fault' },
    ]);
    const answered = () => Promise.resolve(ok({}, 429));
    const noPause = build({ http: answered, budget: { take: grant, pause: fails } });
    expect(await noPause.update('contact', update)).toMatchObject([{ kind: 'throttled' }]);
  });
});
