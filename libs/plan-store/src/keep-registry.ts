import type { Codec } from '@counterpart/contracts';
import type { InboundMessage } from '@counterpart/platform-kafka';
import type { RegistryEntry } from '@counterpart/sync-model';
import type { PlanStore } from './plan-store.js';
import { isStorable } from './storable.js';

const topic = 'counterpart.source-registry.v1';

/**
 * Handler of the registry topic: keeps every plan of a batch. A message that cannot be read or
 * stored is told to `onUnreadable` and left behind; its tenant keeps the plan it had.
 */
export const keepRegistry =
  (ports: {
    readonly codec: Codec;
    readonly store: PlanStore;
    readonly onUnreadable: (message: InboundMessage, code: string) => void;
  }) =>
  async (batch: readonly InboundMessage[]): Promise<void> => {
    const entries: RegistryEntry[] = [];
    for (const message of batch) {
      if (message.value.length === 0) continue;
      const decoded = await ports.codec.decode(topic, message.value);
      if (!decoded.ok) ports.onUnreadable(message, decoded.code);
      else if (!isStorable(decoded.value)) ports.onUnreadable(message, 'plan-unstorable');
      else entries.push(decoded.value);
    }
    await ports.store.apply(entries);
  };
