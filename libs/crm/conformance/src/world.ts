import type { ConnectionTiming, CrmAdapter, RecordMap } from '@counterpart/crm-port';
import type { ExternalId, Fields, RecordType } from '@counterpart/sync-model';

/**
 * What a provider must be able to do in a test, so that its adapter can be judged: a simulator or
 * a sandbox account behind real HTTP. Everything is in canonical names; only this world knows the
 * provider's own.
 */
export interface ConformanceWorld {
  /** A fresh, empty instance with the record types of `samplePlan`. */
  openPortal(options?: PortalOptions): Promise<ConformancePortal>;
}

export interface PortalOptions {
  /** Whether we may make a property of our own whose values are unique. Default allowed. */
  readonly uniqueProperties?: 'allowed' | 'forbidden';
  readonly timing?: Partial<ConnectionTiming>;
}

export interface AdapterOptions {
  readonly accessToken?: string;
  /** False: what the provider enforces by itself must do. Default true. */
  readonly mayMakeUniqueProperty?: boolean;
  /** Nobody listens there. */
  readonly isUnreachable?: boolean;
  readonly timing?: Partial<ConnectionTiming>;
}

export interface ConformancePortal {
  readonly adapter: CrmAdapter;
  /** Another process with a connection to the same portal. */
  connect(options?: AdapterOptions): CrmAdapter;
  /** What adapters have asked of the shared budget: silence until then. */
  readonly pauses: readonly { readonly untilMs: number; readonly reason: string }[];
  readonly human: Human;
  behave(behaviour: PortalBehaviour): Promise<void>;
  /** Strikes one call of this kind: the next one, or the one after `skip` that go unharmed. */
  strike(on: CallKind, fault: PortalFault, skip?: number): Promise<void>;
  records(recordType: RecordType): Promise<readonly StoredRecord[]>;
  /** How many calls of this kind reached the portal so far. */
  calls(on: CallKind): Promise<number>;
  close(): Promise<void>;
}

export type CallKind = 'create' | 'update' | 'search' | 'read' | 'associate';

export interface PortalBehaviour {
  readonly indexLagMs?: number;
  readonly mergeKeepsPrimaryId?: boolean;
  /** Cuts this field of contacts to so many characters, silently. */
  readonly truncateContact?: Readonly<Record<string, number>>;
}

export type PortalFault =
  /** Done, and the connection ends without an answer. */
  | { readonly kind: 'lost-answer' }
  /** So slow that it is done only after this time, and answered then. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** The connection ends before anything is done. */
  | { readonly kind: 'reset-before' }
  /** Done, and answered with success and nothing else. */
  | { readonly kind: 'empty-success' }
  | {
      readonly kind: 'status';
      readonly status: number;
      /** Done before the answer. Default no. */
      readonly isDone?: boolean;
    }
  /** A limit, in the provider's own words for one of ten seconds. */
  | { readonly kind: 'throttle'; readonly retryAfter?: string };

export interface Human {
  create(recordType: RecordType, fields: Fields): Promise<ExternalId>;
  update(recordType: RecordType, id: ExternalId, fields: Fields): Promise<void>;
  delete(recordType: RecordType, id: ExternalId): Promise<void>;
  restore(recordType: RecordType, id: ExternalId): Promise<void>;
  /** Answers with the id that survives. */
  merge(recordType: RecordType, loserId: ExternalId, intoId: ExternalId): Promise<ExternalId>;
}

export interface StoredRecord {
  readonly externalId: ExternalId;
  /** Ids of the records it is associated with, each once for each association. */
  readonly associatedWith: readonly ExternalId[];
}

/** The record types of every portal of the suite; the provider fills in its own names. */
export const samplePlan = {
  contact: {
    match: ['email'],
    fields: {
      email: { type: 'email' },
      firstName: { type: 'text' },
      phone: { type: 'phone', country: 'US' },
      birthday: { type: 'date' },
      seenAt: { type: 'instant' },
      size: { type: 'picklist', options: ['small', 'large'] },
      score: { type: 'number' },
      isMember: { type: 'boolean' },
    },
  },
  company: { match: ['domain'], fields: { domain: { type: 'domain' }, name: { type: 'text' } } },
  meeting: {
    match: [],
    fields: {
      title: { type: 'text' },
      startsAt: { type: 'instant' },
      endsAt: { type: 'instant' },
      notes: { type: 'text' },
    },
  },
} as const satisfies Readonly<
  Record<
    RecordType,
    {
      readonly match: readonly string[];
      readonly fields: Readonly<Record<string, RecordMap['fields'][number]['fieldType']>>;
    }
  >
>;
