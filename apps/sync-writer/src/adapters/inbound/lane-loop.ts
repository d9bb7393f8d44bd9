import type { LaneRunner } from '../../application/run-lanes.js';

/**
 * Keeps the lane runner going: a round whenever something woke it, and at every polling interval.
 * Rounds never overlap; a wake-up during a round starts another one right after it.
 */
export class LaneLoop {
  private timer: NodeJS.Timeout | undefined;
  private renewal: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isWoken = false;
  private isStopped = false;

  constructor(
    private readonly runner: LaneRunner,
    private readonly pollMs: number,
    private readonly onBroken: (error: unknown) => void,
  ) {}

  /** Keeps the leases of the lanes in hand alive; a renewal that fails leaves them to lapse. */
  start(renewEveryMs: number): void {
    this.renewal = setInterval(() => {
      this.runner.renew().catch(this.onBroken);
      this.runner.sweep().catch(this.onBroken);
    }, renewEveryMs);
    this.wake();
  }

  /** Something may be due. */
  wake(): void {
    this.isWoken = true;
    if (this.running === undefined && !this.isStopped) this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
    await this.runner.stop();
    clearInterval(this.renewal);
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer);
    while (this.isWoken && !this.isStopped) {
      this.isWoken = false;
      try {
        if ((await this.runner.round()) > 0) this.isWoken = true;
      } catch (error) {
        // Our own store is away; the next poll finds it or waits again.
        this.onBroken(error);
      }
    }
    this.running = undefined;
    if (!this.isStopped) this.timer = setTimeout(() => this.wake(), this.pollMs);
  }
}
