import type { Clock, ExternalId, RecordType } from '@counterpart/sync-model';
import type { CallBudget, Connection } from './connection.js';
import type { HttpSend } from './http.js';
import type { FindResult, ProbeItem, ProbeResult, ReadResult } from './reads.js';
import type { AssociateItem, CreateItem, UpdateItem, WriteResult } from './writes.js';

/** How a create is kept single, strongest first. The writer takes what the source offers. */
export type CreatePath =
  'client-id' | 'unique-upsert' | 'conflict-adopt' | 'strong-read' | 'search-only';

export interface RecordCapabilities {
  readonly createPath: CreatePath;
  /** A probe right after a lost answer is proof. False: only after the settle time. */
  readonly strongProbe: boolean;
  /** Look for an existing record by match key before a create (the CRM enforces nothing there). */
  readonly findBeforeCreate: boolean;
  /** Records a create or update call carries at most. */
  readonly batchMax: number;
}

/**
 * One source as the writer and the reconciler see it. Every method takes a batch and answers in
 * the order of the items; none throws for anything the CRM or the network did.
 */
export interface CrmAdapter {
  /** Makes the source ready (own unique property …) and says what it really offers. Cached by the caller. */
  prepare(): Promise<
    | ReadonlyMap<RecordType, RecordCapabilities>
    | { readonly code: string; readonly retryAtMs: number | null }
  >;
  create(recordType: RecordType, items: readonly CreateItem[]): Promise<readonly WriteResult[]>;
  update(recordType: RecordType, items: readonly UpdateItem[]): Promise<readonly WriteResult[]>;
  associate(items: readonly AssociateItem[]): Promise<readonly WriteResult[]>;
  read(recordType: RecordType, ids: readonly ExternalId[]): Promise<readonly ReadResult[]>;
  /** By match fields, for linking what already exists. Strong where the provider can, else search. */
  find(recordType: RecordType, items: readonly CreateItem[]): Promise<readonly FindResult[]>;
  /** Looks for *this* operation's result: by marker, unique key or match key. */
  probe(recordType: RecordType, items: readonly ProbeItem[]): Promise<readonly ProbeResult[]>;
}

export interface CrmPorts {
  readonly http: HttpSend;
  readonly clock: Clock;
  readonly budget: CallBudget;
}

export type CrmAdapterFactory = (connection: Connection, ports: CrmPorts) => CrmAdapter;
