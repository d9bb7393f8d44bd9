/** One waiter that can be woken. A signal raised while nobody waits ends the next wait at once. */
export class Signal {
  private raised = false;
  private release: (() => void) | undefined;

  raise(): void {
    this.raised = true;
    this.release?.();
  }

  /** Resolves when raised, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.raised) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.release = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.release = undefined;
    this.raised = false;
  }
}
