import type {
  DeadLetter,
  EntityChange,
  MappingMessage,
  RegistryEntry,
  SourceEvent,
  SyncOperation,
  SyncResult,
  UnknownOperation,
  WriteMemory,
} from '@counterpart/sync-model';

/** The value type of each topic. Keys and names here are the contract; never rename one. */
export interface TopicValues {
  'counterpart.source-registry.v1': RegistryEntry;
  'counterpart.source-events.v1': SourceEvent;
  'counterpart.sync-operations.v1': SyncOperation;
  'counterpart.write-memory.v1': WriteMemory;
  'counterpart.sync-results.v1': SyncResult;
  'counterpart.entity-changes.v1': EntityChange;
  'counterpart.mappings.v1': MappingMessage;
  'counterpart.unknown-operations.v1': UnknownOperation;
  'counterpart.dead-letters.v1': DeadLetter;
}

export type TopicName = keyof TopicValues;
export type TopicValue<T extends TopicName> = TopicValues[T];

/** The topics by what they carry, so that code names a topic without spelling it. */
export const topicNames = {
  sourceRegistry: 'counterpart.source-registry.v1',
  sourceEvents: 'counterpart.source-events.v1',
  syncOperations: 'counterpart.sync-operations.v1',
  writeMemory: 'counterpart.write-memory.v1',
  syncResults: 'counterpart.sync-results.v1',
  entityChanges: 'counterpart.entity-changes.v1',
  mappings: 'counterpart.mappings.v1',
  unknownOperations: 'counterpart.unknown-operations.v1',
  deadLetters: 'counterpart.dead-letters.v1',
} as const satisfies Record<string, TopicName>;

/** What the parts of a key are, joined by U+001F. The tenant always comes first. */
export type KeyKind = 'tenant' | 'record' | 'entity';
/** `public`: other teams may read it. `ops`: operators and their tools. */
export type Audience = 'internal' | 'public' | 'ops';

export interface TopicSpec {
  readonly key: KeyKind;
  /** Never changed in place: a key would move while its old partition still holds work. */
  readonly partitions: number;
  readonly audience: Audience;
  readonly writtenBy: readonly string[];
  /** File name in `schemas/` and full name of its record. */
  readonly schema: { readonly file: string; readonly name: string };
  readonly cleanup:
    | { readonly policy: 'delete'; readonly retentionMs: number }
    | { readonly policy: 'compact'; readonly tombstonesKeptMs: number };
}

const dayMs = 24 * 60 * 60 * 1_000;
const keptFor = (days: number): TopicSpec['cleanup'] => ({
  policy: 'delete',
  retentionMs: days * dayMs,
});
const compacted: TopicSpec['cleanup'] = { policy: 'compact', tombstonesKeptMs: 7 * dayMs };
const schema = (file: string, name: string): TopicSpec['schema'] => ({
  file: `${file}.avsc`,
  name: `counterpart.${name}`,
});

/**
 * The catalogue. Work topics are kept for seven days: longer than any outage we plan for and
 * shorter than dedupe's ledger, so that whatever is read again is still known there.
 */
export const topics: Readonly<Record<TopicName, TopicSpec>> = {
  'counterpart.source-registry.v1': {
    key: 'tenant',
    partitions: 1,
    audience: 'internal',
    writtenBy: ['cli'],
    schema: schema('registry-entry', 'RegistryEntry'),
    cleanup: compacted,
  },
  'counterpart.source-events.v1': {
    key: 'record',
    partitions: 12,
    audience: 'internal',
    writtenBy: ['ingest', 'reconciler'],
    schema: schema('source-event', 'SourceEvent'),
    cleanup: keptFor(7),
  },
  'counterpart.sync-operations.v1': {
    key: 'record',
    partitions: 12,
    audience: 'internal',
    writtenBy: ['dedupe'],
    schema: schema('sync-operation', 'SyncOperation'),
    cleanup: keptFor(7),
  },
  'counterpart.write-memory.v1': {
    key: 'record',
    partitions: 12,
    audience: 'internal',
    writtenBy: ['sync-writer'],
    schema: schema('write-memory', 'WriteMemory'),
    cleanup: keptFor(7),
  },
  'counterpart.sync-results.v1': {
    key: 'entity',
    partitions: 12,
    audience: 'public',
    writtenBy: ['sync-writer'],
    schema: schema('sync-result', 'SyncResult'),
    cleanup: keptFor(30),
  },
  'counterpart.entity-changes.v1': {
    key: 'entity',
    partitions: 12,
    audience: 'public',
    writtenBy: ['sync-writer'],
    schema: schema('entity-change', 'EntityChange'),
    cleanup: keptFor(30),
  },
  'counterpart.mappings.v1': {
    key: 'record',
    partitions: 12,
    audience: 'public',
    writtenBy: ['sync-writer'],
    schema: schema('mapping', 'MappingMessage'),
    cleanup: compacted,
  },
  'counterpart.unknown-operations.v1': {
    key: 'entity',
    partitions: 12,
    audience: 'internal',
    writtenBy: ['sync-writer'],
    schema: schema('unknown-operation', 'UnknownOperation'),
    cleanup: keptFor(30),
  },
  'counterpart.dead-letters.v1': {
    key: 'tenant',
    partitions: 6,
    audience: 'ops',
    writtenBy: ['dedupe', 'sync-writer', 'reconciler'],
    schema: schema('dead-letter', 'DeadLetter'),
    cleanup: keptFor(30),
  },
};

/** Largest message a topic takes: one event of a full ingest body, with room for its envelope. */
export const messageBytesMax = 2 * 1024 * 1024;

export const allTopicNames: readonly TopicName[] = Object.values(topicNames);

/** True when the text names a topic of the catalogue. */
export const isTopicName = (text: string): text is TopicName => Object.hasOwn(topics, text);

/** The registry subject of a topic's values. */
export const subjectOf = (topic: TopicName): string => `${topic}-value`;
