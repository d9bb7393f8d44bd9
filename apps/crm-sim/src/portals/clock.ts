/** Takes a planned call back. Calling it twice is fine. */
export type Cancel = () => void;

/** Time as the simulator sees it. A virtual one lets a test live through 24 hours in a moment. */
export interface SimClock {
  /** Wall time, ms since the epoch. */
  nowMs(): number;
  /** Runs `run` once, not before `delayMs` has passed. */
  after(delayMs: number, run: () => void): Cancel;
}

/** Node caps a timer at 2^31-1 ms and would fire at once above it. */
const TIMER_MAX_MS = 2_147_483_647;

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: SimClock = {
  nowMs: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, Math.min(Math.max(0, delayMs), TIMER_MAX_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** A clock that only moves when told to. Planned calls run in the order of their time. */
export class VirtualClock implements SimClock {
  private planned: { readonly atMs: number; readonly seq: number; readonly run: () => void }[] = [];
  private seq = 0;

  constructor(private timeMs: number) {}

  nowMs(): number {
    return this.timeMs;
  }

  after(delayMs: number, run: () => void): Cancel {
    const entry = { atMs: this.timeMs + Math.max(0, delayMs), seq: this.seq++, run };
    this.planned.push(entry);
    return () => {
      this.planned = this.planned.filter((other) => other !== entry);
    };
  }

  /** Moves time forward, running what falls due, and letting promises settle in between. */
  async advance(byMs: number): Promise<void> {
    const untilMs = this.timeMs + byMs;
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.planned
        .filter((entry) => entry.atMs <= untilMs)
        .sort((a, b) => a.atMs - b.atMs || a.seq - b.seq)[0];
      if (!next) break;
      this.planned = this.planned.filter((entry) => entry !== next);
      this.timeMs = Math.max(this.timeMs, next.atMs);
      next.run();
    }
    this.timeMs = untilMs;
  }
}
