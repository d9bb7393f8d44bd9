import {
  claimedLeaseMs,
  decideClaim,
  sendingLeaseMs,
  settleSpanMs,
  timingFaults,
  type ClaimRow,
} from './claim.js';

const request = { sentAtMs: 500, settleAtMs: 9_000 };
const row = (parts: Partial<ClaimRow>): ClaimRow => ({
  claimKey: 'k',
  token: 't',
  state: 'claimed',
  operationId: 'o',
  leaseUntilMs: 1_000,
  request: null,
  ...parts,
});

test.each([
  ['a live claim is waited for', row({}), 999, true, { kind: 'wait', untilMs: 1_000 }],
  [
    'a live request is waited for',
    row({ state: 'sending', request }),
    999,
    true,
    { kind: 'wait', untilMs: 1_000 },
  ],
  ['a claim that sent nothing is taken over', row({}), 1_000, false, { kind: 'take-over' }],
  [
    'a lost request may still be travelling before its settle time',
    row({ state: 'sending', request }),
    8_999,
    true,
    { kind: 'wait', untilMs: 9_000 },
  ],
  [
    'after it a lost request is probed where a probe is proof',
    row({ state: 'sending', request }),
    9_000,
    true,
    { kind: 'probe', request },
  ],
  [
    'a lost request is never repeated where only time can tell',
    row({ state: 'sending', request }),
    1_000,
    false,
    { kind: 'name-unknown', request },
  ],
])('%s', (_name, held, nowMs, strongProbe, verdict) => {
  expect(decideClaim(held, { nowMs, strongProbe })).toEqual(verdict);
});

describe('lease arithmetic', () => {
  const timing = { requestDeadlineMs: 2_000, crmLongestRunMs: 3_000, indexLagMs: 10_000 };
  test('a lease outlives the request it guards', () => {
    expect(sendingLeaseMs(timing)).toBeGreaterThan(timing.requestDeadlineMs);
    expect(claimedLeaseMs(timing)).toBeGreaterThan(timing.requestDeadlineMs);
  });
  test('the settle time outlives the request, its run and the index', () => {
    expect(settleSpanMs(timing, false)).toBe(17_000);
  });
  test('a strong probe need not wait for the index', () => {
    expect(settleSpanMs(timing, true)).toBe(7_000);
  });
  test('a CRM that may stop sooner than we wait for it is not believed', () => {
    expect(timingFaults(timing)).toEqual([]);
    expect(timingFaults({ ...timing, crmLongestRunMs: 1_000 })).toHaveLength(1);
  });
});
