import type { MappingMessage, SyncResult } from '@counterpart/sync-model';
import type { PublicTopic } from '../format/checks.js';
import type { SeenMessage, SeenOperation } from './evidence.js';

/** A public message as it came from its topic; `messageId` is what consumers drop repeats by. */
export type PublicValue = { readonly tenantId: string; readonly messageId?: string };

/** All public messages of the tenants of a run, in the order they were seen, repeats dropped. */
export class MessageLog {
  private count = 0;
  private readonly ids = new Set<string>();
  private readonly messagesByTenant = new Map<string, SeenMessage[]>();
  private readonly operations = new Map<string, SyncResult>();
  private readonly newestMappings = new Map<string, MappingMessage>();

  add(topic: PublicTopic, value: PublicValue): void {
    if (value.messageId !== undefined && this.ids.has(value.messageId)) return;
    if (value.messageId !== undefined) this.ids.add(value.messageId);
    this.count += 1;
    const messages = this.messagesByTenant.get(value.tenantId) ?? [];
    messages.push({ topic, position: this.count, value });
    this.messagesByTenant.set(value.tenantId, messages);
  }

  addResult(result: SyncResult): void {
    this.add('sync-results', result);
    const key = `${result.operationId} ${result.targetSourceId}`;
    const known = this.operations.get(key);
    if (!known || known.operationVersion <= result.operationVersion)
      this.operations.set(key, result);
  }

  addMapping(mapping: MappingMessage): void {
    this.add('mappings', mapping);
    const { tenantId, sourceId, recordType, externalId } = mapping;
    this.newestMappings.set([tenantId, sourceId, recordType, externalId].join('\n'), mapping);
  }

  /** Position of the newest message of any tenant. */
  position(): number {
    return this.count;
  }

  messagesOf(tenantId: string): readonly SeenMessage[] {
    return this.messagesByTenant.get(tenantId) ?? [];
  }

  /** The newest result of each operation, per target. */
  operationsOf(tenantId: string): readonly SeenOperation[] {
    return [...this.operations.values()].filter((result) => result.tenantId === tenantId);
  }

  /** The newest mapping of each record. */
  mappingsOf(tenantId: string): readonly MappingMessage[] {
    return [...this.newestMappings.values()].filter((mapping) => mapping.tenantId === tenantId);
  }
}
