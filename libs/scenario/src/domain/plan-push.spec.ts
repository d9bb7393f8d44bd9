import type { PushStep } from '../format/steps.js';
import { planPush } from './plan-push.js';
import { seededDice } from './seeded-random.js';

const plan = (step: PushStep, seed = 1) => {
  let id = 0;
  return planPush(step, { tenant: 't', run: 'r', nowMs: 1 }, () => (id += 1), seededDice(seed));
};
const meeting = {
  action: 'create',
  type: 'meeting',
  recordId: 'm-{n}',
  attendees: [{ email: '{variant:ada@example.com}' }],
};

test('a storm: repeated, each delivery twice side by side, spread over its span', () => {
  const requests = plan({ changes: [meeting], repeat: 4, deliveries: 2, withinMs: 800 });
  expect(requests.map(({ atMs }) => atMs)).toEqual([0, 100, 200, 300, 400, 500, 600, 700]);
  expect(requests[0]).toEqual({ ...requests[1], atMs: 0 });
  expect(new Set(requests.map(({ deliveryId }) => deliveryId)).size).toBe(4);
  expect(requests.map(({ changes }) => changes[0]?.['recordId'])).toEqual([
    'm-1',
    'm-1',
    'm-2',
    'm-2',
    'm-3',
    'm-3',
    'm-4',
    'm-4',
  ]);
});

test('every change has an id of its own unless it brings one', () => {
  const own = { ...meeting, id: 'mine-{n}' };
  expect(plan({ changes: [meeting], repeat: 2 }).map(({ changes }) => changes[0]?.['id'])).toEqual([
    'evt-r-1',
    'evt-r-2',
  ]);
  expect(plan({ changes: [own], repeat: 2 })[1]?.changes[0]?.['id']).toBe('mine-2');
});

test('a change happened now unless it says when', () => {
  const told = { ...meeting, occurredAt: '2026-01-05T08:00:00Z' };
  const when = [meeting, told].map(
    (one) => plan({ changes: [one] })[0]?.changes[0]?.['occurredAt'],
  );
  expect(when).toEqual(['1970-01-01T00:00:00.001Z', '2026-01-05T08:00:00Z']);
});

test('batches are full but for the last; reversed is reversed', () => {
  const requests = plan({ changes: [meeting], repeat: 5, batch: 2, order: 'reversed' });
  expect(requests.map(({ changes }) => changes.map((change) => change['recordId']))).toEqual([
    ['m-5', 'm-4'],
    ['m-3', 'm-2'],
    ['m-1'],
  ]);
});

test('one seed shuffles one way', () => {
  const order = (seed: number) =>
    plan({ changes: [meeting], repeat: 9, order: 'shuffled' }, seed).map(
      ({ changes }) => changes[0]?.['recordId'],
    );
  expect(order(5)).toEqual(order(5));
  expect(order(5)).not.toEqual(order(6));
});

test('a revision from a placeholder is a number; a raw body is padded to the byte', () => {
  const change = { ...meeting, revision: '{n}' };
  expect(plan({ changes: [change] })[0]?.changes[0]?.['revision']).toBe(1);
  const [raw] = plan({ body: '{"ü":1}', padToBytes: 20 });
  expect(Buffer.byteLength(raw?.body ?? '')).toBe(20);
});
