import type { Check } from './checks.js';
import type { JsonObject } from './json.js';
import type { FaultStep, Step } from './steps.js';

/**
 * A scenario as read from its file. What stands in a CRM is written in the CRM's own words
 * (`contacts`, `firstname`); what the app pushes, in the words of the tenant's plan (`contact`,
 * `firstName`). A step or a check without `tenant` goes for every tenant of the scenario.
 */
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
