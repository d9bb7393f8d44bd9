/**
 * A scenario as read from its file. What stands in a CRM is written in the CRM's own words
 * (`contacts`, `firstname`); what the app pushes, in the words of the tenant's plan (`contact`,
 * `firstName`). A step or a check without `tenant` goes for every tenant of the scenario.
 */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Exactly so many, or between two bounds that both belong to it. */
export type Count = number | { readonly min?: number; readonly max?: number };

export interface Scenario {
  readonly name: string;
  readonly about?: string;
  /** Touches what all scenarios share (a service, Redis …), so it runs alone. */
  readonly exclusive?: boolean;
  /** For the whole run, from the first step to the last check. Default 90 000. */
  readonly deadlineMs?: number;
  /** Who receives what the app pushes: us, or an integration the caller brought along. */
  readonly against?: string;
  readonly given?: Given;
  readonly steps: readonly Step[];
  readonly then: readonly Check[];
  /** Standing invariants that this story cannot hold, and why. */
  readonly except?: { readonly invariants: readonly InvariantName[]; readonly because: string };
}

export const invariantNames = [
  'one-record-per-match-key',
  'accepted-is-accounted-for',
  'no-write-from-an-echo',
  'associated-once',
  'nothing-pending',
] as const;
export type InvariantName = (typeof invariantNames)[number];

export interface Given extends TenantGiven {
  /** More than one tenant: what each has beyond (or instead of) the rest of `given`. */
  readonly tenants?: { readonly [tenant: string]: TenantGiven };
}

export interface TenantGiven {
  readonly plan?: string | PlanChoice;
  /** The portal behind the source `crm`. */
  readonly crm?: PortalGiven;
  /** Portals behind further sources of the plan. */
  readonly portals?: { readonly [source: string]: PortalGiven };
}

export interface PlanChoice {
  /** A template shipped with the engine, or a path beside the scenario file. */
  readonly template?: string;
  /** Laid over the template, key by key; null takes a key out. */
  readonly change?: JsonObject;
  /** A whole plan instead of a template. */
  readonly inline?: JsonObject;
}

export interface PortalGiven {
  readonly uniqueProperties?: 'allowed' | 'forbidden';
  readonly behaviour?: JsonObject;
  readonly faults?: readonly FaultStep[];
  /** Records a human made before the story begins. */
  readonly records?: readonly GivenRecord[];
}

export interface GivenRecord {
  readonly type: string;
  readonly properties: JsonObject;
  readonly saveAs?: string;
}

/** Which tenant and which source of its plan. */
export interface Where {
  readonly tenant?: string;
  /** Default `crm` (for `push`: `app`). */
  readonly source?: string;
}

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
