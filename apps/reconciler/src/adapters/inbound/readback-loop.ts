import type { ReadbackRunner } from '../../application/run-readbacks.js';

/** Keeps the runner looking for due readbacks at every polling interval. */
export class ReadbackLoop {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly runner: ReadbackRunner,
    private readonly pollMs: number,
    private readonly onBroken: (error: unknown) => void,
  ) {}

  start(): void {
    this.round = this.run();
  }

  /** Takes no more and waits for the probes under way; what is not stored comes again. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.round;
    await this.runner.settled();
  }

  private async run(): Promise<void> {
    try {
      await this.runner.round();
    } catch (error) {
      // Our own store is away; the next poll finds it or waits again.
      this.onBroken(error);
    }
    if (!this.isStopped) this.timer = setTimeout(() => this.start(), this.pollMs);
  }
}
