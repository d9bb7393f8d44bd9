/**
 * Scenarios that run side by side ask for fences all the time, and one fence serves all who asked
 * before it began. Whoever asks while one is under way gets the next: the present one may have
 * looked before their message was there.
 */
export function createFence(
  pass: (timeoutMs: number) => Promise<string | null>,
): (timeoutMs: number) => Promise<string | null> {
  let running: Promise<string | null> | undefined;
  let next: Promise<string | null> | undefined;
  const start = (timeoutMs: number): Promise<string | null> => {
    next = undefined;
    running = pass(timeoutMs).finally(() => (running = undefined));
    return running;
  };
  return (timeoutMs) => {
    if (running === undefined) return start(timeoutMs);
    next ??= running.then(
      () => start(timeoutMs),
      () => start(timeoutMs),
    );
    return next;
  };
}
