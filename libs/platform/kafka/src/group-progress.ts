import type { Admin } from 'kafkajs';
import { createClient, type ClientOptions } from './kafkajs-client.js';

/** A consumer group and the topics it reads. */
export interface ReadingGroup {
  readonly groupId: string;
  readonly topics: readonly string[];
}

/** Tells how far groups have read; for tests and tools that must know when a flow has come to rest. */
export interface GroupProgress {
  /**
   * True once every group has committed all that its topics held at the moment of the call; false
   * when that did not come about in time or the broker could not be asked.
   */
  caughtUp(groups: readonly ReadingGroup[], timeoutMs: number): Promise<boolean>;
  close(): Promise<void>;
}

const lookEveryMs = 25;

/** Connects an admin client; rejects when no broker answers. */
export async function watchGroups(options: ClientOptions): Promise<GroupProgress> {
  const admin = createClient(options).admin();
  await admin.connect();
  return {
    caughtUp: async (groups, timeoutMs) => {
      const deadlineAtMs = Date.now() + timeoutMs;
      try {
        const ends = await endsOf(admin, groups);
        while (!(await allPast(admin, groups, ends))) {
          if (Date.now() >= deadlineAtMs) return false;
          await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
        }
        return true;
      } catch {
        return false;
      }
    },
    close: () => admin.disconnect(),
  };
}

/** End offset by `topic/partition`; partitions without messages are left out. */
type Ends = ReadonlyMap<string, bigint>;

async function endsOf(admin: Admin, groups: readonly ReadingGroup[]): Promise<Ends> {
  const topics = [...new Set(groups.flatMap((group) => group.topics))];
  const offsets = await Promise.all(topics.map((topic) => admin.fetchTopicOffsets(topic)));
  return new Map(
    topics.flatMap((topic, at) =>
      (offsets[at] ?? [])
        .filter(({ high, low }) => high !== low)
        .map(({ partition, high }) => [`${topic}/${partition}`, BigInt(high)] as const),
    ),
  );
}

async function allPast(
  admin: Admin,
  groups: readonly ReadingGroup[],
  ends: Ends,
): Promise<boolean> {
  const committed = await Promise.all(
    groups.map(({ groupId, topics }) => admin.fetchOffsets({ groupId, topics: [...topics] })),
  );
  return groups.every(({ topics }, at) =>
    topics.every((topic) => {
      const partitions = committed[at]?.find((one) => one.topic === topic)?.partitions ?? [];
      const offsets = new Map(partitions.map(({ partition, offset }) => [partition, offset]));
      return [...ends].every(([place, end]) => {
        const cut = place.lastIndexOf('/');
        if (place.slice(0, cut) !== topic) return true;
        return BigInt(offsets.get(Number(place.slice(cut + 1))) ?? -1) >= end;
      });
    }),
  );
}
