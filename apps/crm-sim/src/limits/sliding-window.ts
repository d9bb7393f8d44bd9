/** Counts what happened in the last `spanMs`, to the millisecond: no fixed buckets to slip between. */
export class SlidingWindow {
  private times: number[] = [];

  constructor(private readonly spanMs: number) {}

  /** Events still inside the window at `nowMs`. */
  count(nowMs: number): number {
    const firstKept = this.times.findIndex((atMs) => atMs > nowMs - this.spanMs);
    if (firstKept !== 0) this.times = firstKept < 0 ? [] : this.times.slice(firstKept);
    return this.times.length;
  }

  add(nowMs: number): void {
    this.times.push(nowMs);
  }
}
