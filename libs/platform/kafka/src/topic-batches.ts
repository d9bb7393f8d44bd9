/**
 * Between kafkajs, which hands over what it fetched partition by partition, and a handler, which is
 * cheapest with many messages at once: while a handler call runs, what arrives gathers and goes
 * into the next call together. One call at a time for each topic, so a partition's messages keep
 * their order.
 *
 * A partition is in one of three states. *Trusted*: its messages travel with the others'.
 * *Suspect*: a call that held them failed, so they go alone until a call succeeds; thus one bad
 * partition is told from its neighbours. *Held*: it failed alone; it is not fetched until its
 * back-off is over, and the others go on.
 *
 * Nothing here throws: what was not handled is not committed, and is fetched again.
 */
import type { InboundMessage } from './messages.js';
import type { BatchHandler } from './stream-consumer.js';

export interface Position {
  readonly partition: number;
  /** The next offset to read. */
  readonly offset: string;
}

/** What one fetch brought for one partition. */
export interface FetchedPart {
  readonly partition: number;
  readonly messages: readonly InboundMessage[];
  /** False once the partition may belong to somebody else: then nothing is committed for it. */
  isOwned(): boolean;
  /** False once reading was stopped: what was not begun is left. */
  isWanted(): boolean;
  commit(positions: readonly Position[]): Promise<void>;
  /** Notes that reading goes on behind this position. */
  advance(position: Position): void;
}

export interface TopicBatchesPorts {
  readonly handle: BatchHandler;
  readonly messagesMax: number;
  /** Do not fetch this partition for a while. */
  hold(partition: number, error: unknown): void;
  /** The partition's messages were handled. */
  release(partition: number): void;
}

interface Entry {
  readonly part: FetchedPart;
  /** Index of the first message not handled. */
  next: number;
  readonly finish: () => void;
}

interface Slice {
  readonly entry: Entry;
  readonly messages: readonly InboundMessage[];
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const behind = ({ entry, messages }: Slice): Position => ({
  partition: entry.part.partition,
  offset: (BigInt(messages.at(-1)?.offset ?? 0) + 1n).toString(),
});

export class TopicBatches {
  private waiting: Entry[] = [];
  private readonly suspects = new Set<number>();
  private working: Promise<void> | undefined;

  constructor(private readonly ports: TopicBatchesPorts) {}

  /** Resolves when the part is handled, or was left to be fetched again. */
  take(part: FetchedPart): Promise<void> {
    return new Promise((finish) => {
      this.waiting.push({ part, next: 0, finish });
      this.working ??= this.work();
    });
  }

  /** Resolves when no handler call runs. */
  async idle(): Promise<void> {
    await this.working;
  }

  private async work(): Promise<void> {
    // The partitions of one fetch arrive within one turn.
    await nextTurn();
    while (this.waiting.length > 0) {
      const slices = this.nextSlices();
      if (slices.length > 0) await this.deliver(slices);
    }
    this.working = undefined;
  }

  private nextSlices(): readonly Slice[] {
    this.leave(({ part }) => !part.isOwned() || !part.isWanted());
    const [first] = this.waiting;
    if (first === undefined) return [];
    if (this.suspects.has(first.part.partition))
      return [this.sliceOf(first, this.ports.messagesMax)];
    const slices: Slice[] = [];
    let room = this.ports.messagesMax;
    for (const entry of this.waiting) {
      if (room <= 0) break;
      if (this.suspects.has(entry.part.partition)) continue;
      const slice = this.sliceOf(entry, room);
      slices.push(slice);
      room -= slice.messages.length;
    }
    return slices;
  }

  private sliceOf(entry: Entry, count: number): Slice {
    return { entry, messages: entry.part.messages.slice(entry.next, entry.next + count) };
  }

  private async deliver(slices: readonly Slice[]): Promise<void> {
    try {
      await this.ports.handle(slices.flatMap(({ messages }) => messages));
    } catch (error) {
      this.blame(slices, error);
      return;
    }
    try {
      await this.commit(slices);
    } catch (error) {
      for (const { entry } of slices) this.ports.hold(entry.part.partition, error);
      this.leaveAll(slices);
      return;
    }
    for (const { entry, messages } of slices) {
      this.suspects.delete(entry.part.partition);
      // Of a partition that is not ours the next assignment lets go.
      if (entry.part.isOwned()) this.ports.release(entry.part.partition);
      entry.next += messages.length;
    }
    this.leave((entry) => entry.next >= entry.part.messages.length);
    this.toTheBack(slices);
  }

  private async commit(slices: readonly Slice[]): Promise<void> {
    // Whoever owns a partition now may be further on.
    const owned = slices.filter(({ entry }) => entry.part.isOwned());
    const [first] = owned;
    if (first === undefined) return;
    await first.entry.part.commit(owned.map(behind));
    for (const slice of owned) {
      if (slice.entry.part.isOwned()) slice.entry.part.advance(behind(slice));
    }
  }

  private blame(slices: readonly Slice[], error: unknown): void {
    const [only, ...others] = slices;
    if (only !== undefined && others.length === 0)
      this.ports.hold(only.entry.part.partition, error);
    for (const { entry } of slices) this.suspects.add(entry.part.partition);
    this.leaveAll(slices);
  }

  private leaveAll(slices: readonly Slice[]): void {
    const left = new Set(slices.map(({ entry }) => entry));
    this.leave((entry) => left.has(entry));
  }

  private leave(isLeft: (entry: Entry) => boolean): void {
    const stays: Entry[] = [];
    for (const entry of this.waiting) {
      if (isLeft(entry)) entry.finish();
      else stays.push(entry);
    }
    this.waiting = stays;
  }

  /** A long part must not keep the others waiting. */
  private toTheBack(slices: readonly Slice[]): void {
    const served = new Set(slices.map(({ entry }) => entry));
    this.waiting = [
      ...this.waiting.filter((entry) => !served.has(entry)),
      ...this.waiting.filter((entry) => served.has(entry)),
    ];
  }
}
