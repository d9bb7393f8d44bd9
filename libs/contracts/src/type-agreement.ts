/**
 * The compiler's proof that the schemas and the types of sync-model say the same: each message
 * type generated from its schema can stand for the hand-written one and the other way round. A
 * field added, renamed or made nullable on one side only fails the build here.
 */
import type * as generated from './generated/messages.js';
import type { TopicName, TopicValue } from './topics.js';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

interface GeneratedValues {
  'counterpart.source-registry.v1': generated.RegistryEntry;
  'counterpart.source-events.v1': generated.SourceEvent;
  'counterpart.sync-operations.v1': generated.SyncOperation;
  'counterpart.write-memory.v1': generated.WriteMemory;
  'counterpart.sync-results.v1': generated.SyncResult;
  'counterpart.entity-changes.v1': generated.EntityChange;
  'counterpart.mappings.v1': generated.MappingMessage;
  'counterpart.unknown-operations.v1': generated.UnknownOperation;
  'counterpart.dead-letters.v1': generated.DeadLetter;
}

export const typesAgree: { readonly [T in TopicName]: Same<GeneratedValues[T], TopicValue<T>> } = {
  'counterpart.source-registry.v1': true,
  'counterpart.source-events.v1': true,
  'counterpart.sync-operations.v1': true,
  'counterpart.write-memory.v1': true,
  'counterpart.sync-results.v1': true,
  'counterpart.entity-changes.v1': true,
  'counterpart.mappings.v1': true,
  'counterpart.unknown-operations.v1': true,
  'counterpart.dead-letters.v1': true,
};
