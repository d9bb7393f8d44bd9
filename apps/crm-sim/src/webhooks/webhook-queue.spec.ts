import { defaultBehaviour, type Behaviour } from '../behaviour/behaviour.js';
import { VirtualClock } from '../portals/clock.js';
import { seededRandom } from '../portals/random.js';
import type { WebhookEvent } from './webhook-event.js';
import { WebhookQueue } from './webhook-queue.js';

const HOUR_MS = 3_600_000;

const event = (objectId: number): WebhookEvent => ({
  eventId: 7,
  subscriptionId: 1,
  portalId: 1,
  appId: 2,
  occurredAt: objectId,
  subscriptionType: objectId % 2 ? 'contact.creation' : 'contact.deletion',
  objectId,
  changeSource: 'CRM_UI',
  sourceId: 'userId:1',
});

interface Sent {
  readonly atMs: number;
  readonly ids: readonly number[];
  readonly attempts: readonly number[];
}

function given(
  behaviour: Partial<Behaviour> = {},
  accept: (nth: number) => boolean | Promise<boolean> = () => true,
) {
  const clock = new VirtualClock(1_000_000);
  const sent: Sent[] = [];
  const current = { ...defaultBehaviour(), ...behaviour };
  const queue = new WebhookQueue(
    clock,
    seededRandom('w'),
    () => current,
    async (body) => {
      const events = JSON.parse(body) as { objectId: number; attemptNumber: number }[];
      sent.push({
        atMs: clock.nowMs(),
        ids: events.map((one) => one.objectId),
        attempts: events.map((one) => one.attemptNumber),
      });
      return accept(sent.length);
    },
  );
  return { clock, sent, queue, behaviour: current };
}

const publish = (queue: WebhookQueue, count: number): void => {
  for (let i = 1; i <= count; i++) queue.publish(event(i));
};

describe('webhook queue', () => {
  it('sends what belongs together in batches of at most 100', async () => {
    const { clock, sent, queue } = given();
    publish(queue, 250);
    await clock.advance(100);
    expect(sent.map((batch) => batch.ids.length)).toEqual([100, 100, 50]);
    expect(queue.stats()).toMatchObject({ delivered: 250, attempts: 3, pending: 0 });
  });

  it('has at most ten requests in flight and counts their events as pending', async () => {
    const { clock, sent, queue } = given({}, () => new Promise<boolean>(() => undefined));
    publish(queue, 1_500);
    await clock.advance(HOUR_MS);
    expect(sent).toHaveLength(10);
    expect(queue.stats()).toMatchObject({ pending: 1_500, delivered: 0 });
  });

  it('redelivers ten times within about a day, each time with a higher attempt number', async () => {
    const { clock, sent, queue } = given({ webhookTimeFactor: 1 }, () => false);
    publish(queue, 1);
    await clock.advance(48 * HOUR_MS);
    expect(sent.map((batch) => batch.attempts[0])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const spanMs = (sent.at(-1)?.atMs ?? 0) - (sent[0]?.atMs ?? 0);
    expect(spanMs).toBeGreaterThan(12 * HOUR_MS);
    expect(spanMs).toBeLessThan(36 * HOUR_MS);
    expect(queue.stats()).toMatchObject({ failed: 1, pending: 0, attempts: 11 });
  });

  it('stops redelivering once accepted', async () => {
    const { clock, sent, queue } = given({}, (nth) => nth === 3);
    publish(queue, 2);
    await clock.advance(HOUR_MS);
    expect(sent).toHaveLength(3);
    expect(queue.stats()).toMatchObject({ delivered: 2, failed: 0 });
  });

  it('holds, releases a part, and loses a part', async () => {
    const { clock, sent, queue } = given({ webhooks: 'hold' });
    publish(queue, 6);
    await clock.advance(HOUR_MS);
    expect(sent).toEqual([]);
    expect(queue.stats().held).toBe(6);
    expect(queue.release({ subscriptionType: 'contact.creation' })).toBe(3);
    expect(queue.dropHeld({ objectId: 2 })).toBe(1);
    await clock.advance(100);
    expect(sent.flatMap((batch) => batch.ids)).toEqual([1, 3, 5]);
    expect(queue.stats()).toMatchObject({ held: 2, dropped: 1, delivered: 3 });
  });

  it('doubles and shuffles held events, the same way for the same seed', async () => {
    const run = async (seed: string): Promise<number[]> => {
      const { clock, sent, queue } = given({ webhooks: 'hold' });
      publish(queue, 20);
      queue.doubleShuffleRelease({}, seed);
      await clock.advance(100);
      return sent.flatMap((batch) => [...batch.ids]);
    };
    const once = await run('a');
    const inOrder = Array.from({ length: 20 }, (_, i) => i + 1);
    expect([...once].sort((a, b) => a - b)).toEqual(inOrder.flatMap((id) => [id, id]));
    expect(once).not.toEqual([...inOrder, ...inOrder]);
    expect(await run('a')).toEqual(once);
    expect(await run('b')).not.toEqual(once);
  });

  it('doubles, shuffles and drops live events when told to', async () => {
    const { clock, sent, queue } = given({ webhookDouble: true, webhookShuffle: true });
    publish(queue, 30);
    await clock.advance(100);
    const ids = sent.flatMap((batch) => [...batch.ids]);
    expect(ids).toHaveLength(60);
    expect(ids).not.toEqual([...ids].sort((a, b) => a - b));
    const lossy = given({ webhookDropFraction: 0.5 });
    publish(lossy.queue, 200);
    await lossy.clock.advance(100);
    expect(lossy.queue.stats().dropped).toBeGreaterThan(60);
    expect(lossy.queue.stats().dropped).toBeLessThan(140);
  });

  it('delays each event on its own, so that one save may arrive in pieces', async () => {
    const { clock, sent, queue } = given({ webhookDelayMs: [10, 10_000] });
    publish(queue, 10);
    await clock.advance(20_000);
    expect(sent.length).toBeGreaterThan(1);
    expect(queue.stats().delivered).toBe(10);
  });

  it('sends everything again on request', async () => {
    const { clock, sent, queue } = given();
    publish(queue, 3);
    await clock.advance(100);
    expect(queue.redeliverAll({})).toBe(3);
    await clock.advance(100);
    expect(sent.map((batch) => batch.ids)).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });
});
