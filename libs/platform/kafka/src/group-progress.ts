import type { Admin } from 'kafkajs';
import { openClient, type Client, type ClientOptions } from './kafkajs-client.js';

/** A consumer group and the topics it reads. */
export interface ReadingGroup {
  readonly groupId: string;
  readonly topics: readonly string[];
}

/** Tells how far groups have read; for tests and tools that must know when a flow has come to rest. */
export interface GroupProgress {
  /**
   * Null once every group has committed all that its topics held at the moment of the call. When
   * that did not come about in time: who is behind and where, or why the broker could not be asked.
   */
  behind(groups: readonly ReadingGroup[], timeoutMs: number): Promise<string | null>;
  close(): Promise<void>;
}

const lookEveryMs = 25;
const askAgainMs = 250;

/**
 * Connects an admin client; rejects when no broker answers. A client that failed once is thrown
 * away with its connections, as everywhere: after a broker's restart it may wait for ever on a
 * connection that nobody is at the other end of.
 */
export async function watchGroups(options: ClientOptions): Promise<GroupProgress> {
  const admins = new AdminSupply(options);
  await admins.get();
  return {
    behind: async (groups, timeoutMs) => {
      const deadlineAtMs = Date.now() + timeoutMs;
      for (;;) {
        try {
          return await lookUntil(await admins.get(), groups, deadlineAtMs);
        } catch (error) {
          admins.discard();
          if (Date.now() >= deadlineAtMs)
            return `the broker cannot be asked: ${error instanceof Error ? error.message : 'no answer'}`;
          await new Promise((resolve) => setTimeout(resolve, askAgainMs));
        }
      }
    },
    close: () => admins.close(),
  };
}

class AdminSupply {
  private current: { readonly client: Client; readonly admin: Promise<Admin> } | undefined;

  constructor(private readonly options: ClientOptions) {}

  get(): Promise<Admin> {
    if (this.current === undefined) {
      const client = openClient(this.options);
      const admin = client.kafka.admin();
      this.current = { client, admin: admin.connect().then(() => admin) };
    }
    return this.current.admin;
  }

  discard(): void {
    this.current?.client.destroyConnections();
    this.current = undefined;
  }

  async close(): Promise<void> {
    const admin = await this.current?.admin.catch(() => undefined);
    await admin?.disconnect();
  }
}

const lookUntil = async (
  admin: Admin,
  groups: readonly ReadingGroup[],
  deadlineAtMs: number,
): Promise<string | null> => {
  const ends = await endsOf(admin, groups);
  for (;;) {
    const behind = await firstBehind(admin, groups, ends);
    if (behind === null || Date.now() >= deadlineAtMs) return behind;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
};

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

/** `group at topic/partition` of the first that is behind; null when none is. */
async function firstBehind(
  admin: Admin,
  groups: readonly ReadingGroup[],
  ends: Ends,
): Promise<string | null> {
  const committed = await Promise.all(
    groups.map(({ groupId, topics }) => admin.fetchOffsets({ groupId, topics: [...topics] })),
  );
  for (const [at, { groupId, topics }] of groups.entries())
    for (const [place, end] of ends) {
      const cut = place.lastIndexOf('/');
      const topic = place.slice(0, cut);
      if (!topics.includes(topic)) continue;
      const partitions = committed[at]?.find((one) => one.topic === topic)?.partitions ?? [];
      const mine = partitions.find(({ partition }) => partition === Number(place.slice(cut + 1)));
      if (BigInt(mine?.offset ?? -1) < end) return `${groupId} at ${place}`;
    }
  return null;
}
