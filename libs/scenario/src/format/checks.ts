import type { JsonObject } from './json.js';
import type { Where } from './where.js';

/** Exactly so many, or between two bounds that both belong to it. */
export type Count = number | { readonly min?: number; readonly max?: number };

/** One expectation. Exactly one of the kinds is present. */
export interface Check {
  /** The line in the verdict; made from the check when missing. */
  readonly name?: string;
  readonly records?: RecordsCheck;
  readonly calls?: CallsCheck;
  readonly operations?: OperationsCheck;
  readonly messages?: MessagesCheck;
  readonly mappings?: MappingsCheck;
  readonly cases?: CasesCheck;
  readonly gate?: GateCheck;
  readonly answers?: AnswersCheck;
  readonly webhookState?: WebhookStateCheck;
}

export interface RecordsCheck extends Where {
  readonly type: string;
  readonly where?: JsonObject;
  readonly archived?: boolean;
  readonly count?: Count;
  /** What every record found must hold. */
  readonly properties?: JsonObject;
  /** How many different records of a type every record found is associated with. */
  readonly associations?: { readonly [type: string]: Count };
}

export interface CallMatch {
  readonly kind?: string;
  /** Part of the path: `contacts`. */
  readonly path?: string;
  readonly status?: number;
  readonly fault?: string;
}

export interface CallsCheck extends Where, CallMatch {
  readonly since?: string;
  readonly until?: string;
  /** Only the span after the answer of the nth call that matches this. */
  readonly after?: CallMatch & { readonly nth?: number };
  readonly forMs?: number;
  /** Leaves out the beginning of that span: what was on its way already. */
  readonly graceMs?: number;
  /** Count the busiest span of this length, not all. */
  readonly busiestMs?: number;
  readonly count: Count;
}

export interface OperationsCheck {
  readonly tenant?: string;
  readonly outcome?: string | readonly string[];
  readonly type?: string;
  readonly where?: JsonObject;
  readonly count: Count;
}

export interface MessagesCheck {
  readonly tenant?: string;
  readonly topic: PublicTopic;
  readonly where?: JsonObject;
  readonly since?: string;
  readonly count: Count;
}

export type PublicTopic = 'sync-results' | 'entity-changes' | 'mappings' | 'dead-letters';

/** The newest mapping of each record. */
export interface MappingsCheck extends Where {
  readonly type?: string;
  readonly status?: string;
  readonly origin?: string;
  readonly count?: Count;
  /** How many different entities those mappings point at. */
  readonly entities?: Count;
}

export interface CasesCheck {
  readonly tenant?: string;
  readonly class?: string;
  readonly state?: string;
  readonly count: Count;
}

export interface GateCheck {
  readonly tenant?: string;
  readonly outcome: string;
  readonly source?: string;
  readonly type?: string;
  readonly count: Count;
}

export interface AnswersCheck {
  readonly tenant?: string;
  readonly status: number;
  readonly count: Count;
}

export interface WebhookStateCheck extends Where {
  readonly state: 'held' | 'pending' | 'delivered' | 'failed' | 'attempts';
  readonly count: Count;
}
