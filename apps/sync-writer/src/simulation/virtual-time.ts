import type { Clock } from '@counterpart/sync-model';

interface Due {
  readonly atMs: number;
  /** Order of arrival, so that two things due at one moment keep their order. */
  readonly turn: number;
  readonly run: () => void;
}

/**
 * The only clock of a simulated world. Nothing in a world waits for anything else: time jumps to
 * whatever is due next, once everything that could run at this moment has run.
 */
export class VirtualTime {
  private readonly heap: Due[] = [];
  private turns = 0;

  constructor(private atMs: number) {}

  readonly nowMs = (): number => this.atMs;

  /** The clock of one process, so many ms ahead of the world's. */
  clock(aheadMs = 0): Clock {
    return { nowMs: () => this.atMs + aheadMs, monotonicMs: () => this.atMs };
  }

  after(ms: number, run: () => void): void {
    this.push({ atMs: this.atMs + Math.max(0, ms), turn: (this.turns += 1), run });
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Runs the world until `isOver` or until nothing happens before `untilMs`. True: it was over. */
  async run(isOver: () => boolean, untilMs: number): Promise<boolean> {
    for (;;) {
      await allThatCanRun();
      if (isOver()) return true;
      const next = this.pop();
      if (next === undefined || next.atMs > untilMs) return false;
      this.atMs = next.atMs;
      next.run();
    }
  }

  private push(due: Due): void {
    const { heap } = this;
    heap.push(due);
    for (let at = heap.length - 1; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!isBefore(heap, at, parent)) return;
      swap(heap, at, parent);
      at = parent;
    }
  }

  private pop(): Due | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      let next = at;
      if (left < heap.length && isBefore(heap, left, next)) next = left;
      if (left + 1 < heap.length && isBefore(heap, left + 1, next)) next = left + 1;
      if (next === at) return first;
      swap(heap, at, next);
      at = next;
    }
  }
}

const isBefore = (heap: readonly Due[], a: number, b: number): boolean => {
  const [one, other] = [heap[a], heap[b]];
  if (one === undefined || other === undefined) return false;
  return one.atMs === other.atMs ? one.turn < other.turn : one.atMs < other.atMs;
};

const swap = (heap: Due[], a: number, b: number): void => {
  const [one, other] = [heap[a], heap[b]];
  if (one !== undefined && other !== undefined) [heap[a], heap[b]] = [other, one];
};

/** Every promise that is resolved by now has been followed to its end. */
const allThatCanRun = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
