/** Partitions that are not fetched until their back-off is over. */
export interface HeldPartitions {
  hold(topic: string, partition: number): void;
  /** It works again: the next failure begins with the shortest back-off. */
  release(topic: string, partition: number): void;
  /** The oldest failure that lasts, wall time in ms; null when there is none. */
  failingSinceMs(): number | null;
  /** Forgets all and lets all be fetched again, as after a rebalance. */
  clear(): void;
}

interface Held {
  readonly topic: string;
  readonly partition: number;
  readonly sinceMs: number;
  readonly delayMs: number;
  readonly timer: NodeJS.Timeout;
}

type Switch = (topic: string, partition: number) => void;

const backOffMinMs = 100;
const backOffMaxMs = 5_000;

/** @param pause stops fetching a partition, @param resume starts it again. */
export function createHeldPartitions(pause: Switch, resume: Switch): HeldPartitions {
  const held = new Map<string, Held>();
  return {
    hold(topic, partition) {
      const key = `${topic}/${partition}`;
      const earlier = held.get(key);
      clearTimeout(earlier?.timer);
      const delayMs = Math.min(backOffMaxMs, (earlier?.delayMs ?? backOffMinMs / 2) * 2);
      pause(topic, partition);
      const timer = setTimeout(() => resume(topic, partition), delayMs);
      held.set(key, { topic, partition, sinceMs: earlier?.sinceMs ?? Date.now(), delayMs, timer });
    },
    release(topic, partition) {
      const key = `${topic}/${partition}`;
      const one = held.get(key);
      if (one === undefined) return;
      clearTimeout(one.timer);
      held.delete(key);
      // Its timer may not have run: an older batch failed when this one was fetched already.
      resume(topic, partition);
    },
    failingSinceMs() {
      const since = [...held.values()].map(({ sinceMs }) => sinceMs);
      return since.length === 0 ? null : Math.min(...since);
    },
    clear() {
      for (const { topic, partition, timer } of held.values()) {
        clearTimeout(timer);
        resume(topic, partition);
      }
      held.clear();
    },
  };
}
