import type { Behaviour } from '../behaviour/behaviour.js';
import type { Cancel, SimClock } from '../portals/clock.js';
import { seededRandom, type Random } from '../portals/random.js';
import type { Deliver } from './deliver.js';
import { retryDelayMs } from './retry-schedule.js';
import type { WebhookEvent } from './webhook-event.js';

/*
 * An event is held, or pending (with a time before which it is not sent), or in flight, or done
 * (delivered, given up, dropped). Failed ones become pending again with a higher attempt number.
 * Deliveries are batches of what is due; nothing promises that two events travel together or in order.
 */

const BATCH_MAX = 100;
const IN_FLIGHT_MAX = 10;
/** Events of one save are usually one batch: wait this long for company before sending. */
const LINGER_MS = 5;
/** Bounds memory: older held events and the oldest delivered ones are forgotten. */
const KEPT_MAX = 50_000;

interface Pending {
  readonly event: WebhookEvent;
  readonly attemptNumber: number;
  readonly dueAtMs: number;
}

/** Which of the held events a control call means; all when empty. */
export type EventFilter = Partial<
  Pick<WebhookEvent, 'subscriptionType' | 'changeSource' | 'objectId' | 'propertyName'>
>;

export class WebhookQueue {
  private held: WebhookEvent[] = [];
  private pending: Pending[] = [];
  private sent: WebhookEvent[] = [];
  private inFlight = 0;
  private inFlightEvents = 0;
  private wake: { readonly atMs: number; readonly cancel: Cancel } | null = null;
  private stopped = false;
  private readonly counts = { delivered: 0, failed: 0, attempts: 0, dropped: 0, published: 0 };

  constructor(
    private readonly clock: SimClock,
    private readonly random: Random,
    private readonly behaviour: () => Behaviour,
    /** Null when the portal has nowhere to send to. */
    private readonly deliver: Deliver | null,
  ) {}

  /** A new event: held, dropped or queued (once, or twice when doubling) as the behaviour says. */
  publish(event: WebhookEvent): void {
    const { webhooks, webhookDropFraction, webhookDouble } = this.behaviour();
    this.counts.published += 1;
    const lost = this.random.fraction() < webhookDropFraction;
    if (this.deliver === null || webhooks === 'drop' || lost) {
      this.counts.dropped += 1;
      return;
    }
    if (webhooks === 'hold') {
      if (this.held.length >= KEPT_MAX) this.held.shift();
      this.held.push(event);
      return;
    }
    this.enqueue(webhookDouble ? [event, event] : [event]);
  }

  /** Sends the held events on, in their order. Returns how many. */
  release(filter: EventFilter): number {
    const chosen = this.takeHeld(filter);
    this.enqueue(chosen, 0);
    return chosen.length;
  }

  /** Sends every held event twice, in an order drawn from the seed. */
  doubleShuffleRelease(filter: EventFilter, seed: string): number {
    const chosen = this.takeHeld(filter);
    this.enqueue(seededRandom(seed).shuffled([...chosen, ...chosen]), 0);
    return chosen.length;
  }

  /** Loses held events for good. */
  dropHeld(filter: EventFilter): number {
    const chosen = this.takeHeld(filter);
    this.counts.dropped += chosen.length;
    return chosen.length;
  }

  /** Sends everything once more that was ever accepted, in the old order. */
  redeliverAll(filter: EventFilter): number {
    const again = this.sent.filter((event) => matches(event, filter));
    this.enqueue(again, 0);
    return again.length;
  }

  stats(): Record<
    'held' | 'pending' | 'delivered' | 'failed' | 'attempts' | 'dropped' | 'published',
    number
  > {
    const pending = this.pending.length + this.inFlightEvents;
    return { held: this.held.length, pending, ...this.counts };
  }

  heldEvents(): readonly WebhookEvent[] {
    return this.held;
  }

  stop(): void {
    this.stopped = true;
    this.wake?.cancel();
    this.held = [];
    this.pending = [];
  }

  private takeHeld(filter: EventFilter): WebhookEvent[] {
    const chosen = this.held.filter((event) => matches(event, filter));
    this.held = this.held.filter((event) => !matches(event, filter));
    return chosen;
  }

  private enqueue(events: readonly WebhookEvent[], delayMs?: number): void {
    const [min, max] = this.behaviour().webhookDelayMs;
    for (const event of events) {
      const wait = delayMs ?? this.random.between(min, max);
      this.pending.push({ event, attemptNumber: 0, dueAtMs: this.clock.nowMs() + wait });
      this.wakeAt(this.clock.nowMs() + wait);
    }
  }

  /** Makes sure that somebody looks at that time; an earlier look is kept. */
  private wakeAt(atMs: number): void {
    const nowMs = this.clock.nowMs();
    const wantedMs = Math.max(atMs, nowMs + LINGER_MS);
    if (this.stopped || (this.wake && this.wake.atMs <= wantedMs)) return;
    this.wake?.cancel();
    this.wake = {
      atMs: wantedMs,
      cancel: this.clock.after(wantedMs - nowMs, () => this.sendDue()),
    };
  }

  private sendDue(): void {
    this.wake?.cancel();
    this.wake = null;
    while (!this.stopped && this.inFlight < IN_FLIGHT_MAX) {
      const batch = this.takeDue();
      if (batch.length === 0) break;
      void this.send(batch);
    }
    // With all places taken, the end of a delivery comes back here.
    if (this.inFlight >= IN_FLIGHT_MAX || this.pending.length === 0) return;
    this.wakeAt(this.pending.reduce((min, entry) => Math.min(min, entry.dueAtMs), Infinity));
  }

  private takeDue(): Pending[] {
    const nowMs = this.clock.nowMs();
    const due = this.pending.filter((entry) => entry.dueAtMs <= nowMs);
    const ordered = this.behaviour().webhookShuffle ? this.random.shuffled(due) : due;
    const batch = new Set(ordered.slice(0, BATCH_MAX));
    this.pending = this.pending.filter((entry) => !batch.has(entry));
    return [...batch];
  }

  private async send(batch: readonly Pending[]): Promise<void> {
    this.inFlight += 1;
    this.inFlightEvents += batch.length;
    this.counts.attempts += 1;
    const body = JSON.stringify(
      batch.map((entry) => ({ ...entry.event, attemptNumber: entry.attemptNumber })),
    );
    const accepted =
      this.deliver !== null &&
      (await this.deliver(body, this.clock.nowMs(), this.behaviour().webhookTimeoutMs));
    this.inFlight -= 1;
    this.inFlightEvents -= batch.length;
    if (this.stopped) return;
    if (accepted) this.noteDelivered(batch);
    else this.retry(batch);
    this.sendDue();
  }

  private noteDelivered(batch: readonly Pending[]): void {
    this.counts.delivered += batch.length;
    this.sent.push(...batch.map((entry) => entry.event));
    if (this.sent.length > KEPT_MAX) this.sent = this.sent.slice(-KEPT_MAX);
  }

  private retry(batch: readonly Pending[]): void {
    // One jitter for the batch, so that what failed together usually comes again together.
    const jitter = this.random.fraction();
    for (const { event, attemptNumber } of batch) {
      const waitMs = retryDelayMs(attemptNumber + 1, this.behaviour().webhookTimeFactor, jitter);
      if (waitMs === null) this.counts.failed += 1;
      else {
        const dueAtMs = this.clock.nowMs() + waitMs;
        this.pending.push({ event, attemptNumber: attemptNumber + 1, dueAtMs });
      }
    }
  }
}

function matches(event: WebhookEvent, filter: EventFilter): boolean {
  return (
    (filter.subscriptionType === undefined || event.subscriptionType === filter.subscriptionType) &&
    (filter.changeSource === undefined || event.changeSource === filter.changeSource) &&
    (filter.propertyName === undefined || event.propertyName === filter.propertyName) &&
    (filter.objectId === undefined || event.objectId === filter.objectId)
  );
}
