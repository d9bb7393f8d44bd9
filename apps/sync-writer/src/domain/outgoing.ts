import {
  entityKey,
  recordKey,
  type DeadLetter,
  type EntityChange,
  type MappingMessage,
  type SyncResult,
  type UnknownOperation,
  type WriteMemory,
} from '@counterpart/sync-model';

/** A message for the outbox, before it is encoded. */
export type Outgoing = { readonly traceparent: string | null } & (
  | { readonly topic: 'counterpart.sync-results.v1'; readonly value: SyncResult }
  | { readonly topic: 'counterpart.entity-changes.v1'; readonly value: EntityChange }
  | { readonly topic: 'counterpart.mappings.v1'; readonly value: MappingMessage }
  | { readonly topic: 'counterpart.write-memory.v1'; readonly value: WriteMemory }
  | { readonly topic: 'counterpart.unknown-operations.v1'; readonly value: UnknownOperation }
  | { readonly topic: 'counterpart.dead-letters.v1'; readonly value: DeadLetter }
);

/** The Kafka key of a message: record keys order a record's messages, entity keys an entity's. */
export const keyOf = (message: Outgoing): string => {
  switch (message.topic) {
    case 'counterpart.sync-results.v1':
    case 'counterpart.entity-changes.v1':
    case 'counterpart.unknown-operations.v1':
      return entityKey(message.value.tenantId, message.value.entityId);
    case 'counterpart.mappings.v1':
    case 'counterpart.write-memory.v1':
      return recordKey(message.value);
    case 'counterpart.dead-letters.v1':
      return message.value.tenantId;
    default:
      return message satisfies never;
  }
};

/** Stable id by which consumers drop repeats; null where the topic is compacted by its key. */
export const messageIdOf = (message: Outgoing): string | null =>
  'messageId' in message.value ? message.value.messageId : null;
