import type { Check } from './checks.js';
import type { Json, JsonObject } from './json.js';
import type { Where } from './where.js';

export interface Step {
  /** Printed as progress instead of the step's own description. */
  readonly say?: string;
  readonly push?: PushStep;
  readonly human?: HumanStep;
  readonly automation?: AutomationStep;
  readonly behaviour?: BehaviourStep;
  readonly fault?: FaultStep;
  readonly clearFaults?: Where;
  readonly releaseAnswers?: Where;
  readonly webhooks?: WebhooksStep;
  readonly plan?: PlanStep;
  readonly parallel?: readonly Step[];
  readonly sequence?: readonly Step[];
  readonly service?: ServiceStep;
  readonly infra?: InfraStep;
  readonly wait?: 'settled' | WaitStep;
  readonly mark?: string;
}

export interface AppChange {
  readonly id?: string;
  readonly action: string;
  readonly type: string;
  readonly recordId: string;
  readonly [more: string]: Json | undefined;
}

export interface PushStep extends Where {
  readonly changes?: readonly AppChange[];
  /** Every change is made so many times; `{n}` counts from 1. */
  readonly repeat?: number;
  readonly clients?: number;
  /** Requests are spread evenly over this span. */
  readonly withinMs?: number;
  /** How often each delivery is sent, same id and same bytes. */
  readonly deliveries?: number;
  /** Changes per request. */
  readonly batch?: number;
  readonly order?: 'as-written' | 'reversed' | 'shuffled';
  /** For bad input: how the delivery is signed. */
  readonly signature?: SignatureKind;
  /** For bad input: sent as it is, instead of `changes`. */
  readonly body?: string;
  /** For bad input: the body is filled up with spaces to so many bytes. */
  readonly padToBytes?: number;
  /** For bad input: the path's tenant, when not the scenario's own. */
  readonly toTenant?: string;
  readonly toSource?: string;
  /** What ingest must answer. Default: 202. */
  readonly answer?: { readonly status: number; readonly code?: string };
}

export type SignatureKind = 'valid' | 'missing' | 'wrong' | 'stale' | 'other-tenant' | 'retired';

export interface HumanStep extends Where {
  readonly action:
    | 'create'
    | 'update'
    | 'delete'
    | 'restore'
    | 'merge'
    | 'associate'
    | 'disassociate'
    | 'privacy-delete';
  readonly type: string;
  readonly id?: string;
  readonly where?: JsonObject;
  readonly properties?: JsonObject;
  /** The other record of a merge or an association. */
  readonly into?: { readonly type?: string; readonly id?: string; readonly where?: JsonObject };
  readonly changeSource?: string;
  readonly sourceId?: string;
  readonly userId?: number;
  /** Makes a second company with a domain, which the CRM's own pages would refuse. */
  readonly force?: boolean;
  readonly saveAs?: string;
}

export interface AutomationStep extends Where {
  readonly when: 'create' | 'update';
  readonly type: string;
  readonly set: JsonObject;
  readonly afterMs?: number;
}

export interface BehaviourStep extends Where {
  readonly set: JsonObject;
}

/** As the simulator's control API takes it. */
export interface FaultStep extends Where {
  readonly match?: JsonObject;
  readonly every?: number;
  readonly nth?: number;
  readonly offset?: number;
  readonly times?: number;
  readonly fraction?: number;
  readonly fault: JsonObject;
}

export const webhookActions = [
  'deliver',
  'hold',
  'drop',
  'release',
  'double-shuffle-release',
  'drop-held',
  'redeliver-all',
] as const;
export type WebhookAction = (typeof webhookActions)[number];

export interface WebhooksStep extends Where {
  readonly do: WebhookAction;
  readonly shuffleSeed?: number;
}

/** The tenant's plan is changed and published again. */
export interface PlanStep {
  readonly tenant?: string;
  readonly change: JsonObject;
}

export const serviceOrders = ['kill', 'stop', 'start', 'restart', 'pause', 'resume'] as const;
export type ServiceOrder = (typeof serviceOrders)[number];
export const infraOrders = ['stop', 'start', 'restart'] as const;
export type InfraOrder = (typeof infraOrders)[number];

/** `sync-writer` stands for all its instances, `sync-writer-2` for that one. */
export interface ServiceStep {
  readonly kill?: string;
  readonly stop?: string;
  readonly start?: string;
  readonly restart?: string;
  readonly pause?: string;
  readonly resume?: string;
  /** Done as soon as this holds. */
  readonly at?: Check;
  readonly withinMs?: number;
}

export type InfraName = 'redis' | 'kafka' | 'postgres' | 'registry';

export interface InfraStep {
  readonly stop?: InfraName;
  readonly start?: InfraName;
  readonly restart?: InfraName;
  readonly flush?: 'redis';
}

export interface WaitStep {
  readonly settled?: boolean;
  readonly until?: Check;
  /** Time itself is the point (a lease, a Retry-After): says what it is for. */
  readonly forMs?: number;
  readonly because?: string;
  readonly withinMs?: number;
}
