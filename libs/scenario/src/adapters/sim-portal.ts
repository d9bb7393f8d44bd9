import type { JsonObject } from '../format/json.js';
import type { FaultStep, WebhookAction } from '../format/steps.js';
import type { CrmAssociation, CrmCall, CrmRecord } from '../domain/evidence.js';
import { call, listOf, numberOf, numberOrNull, objectOf, textOf, textOrNull } from './json-http.js';

export interface PortalSpec {
  readonly accessToken: string;
  readonly appId: string;
  readonly clientSecret: string;
  readonly webhookUrl?: string;
  readonly uniqueProperties: 'allowed' | 'forbidden';
  readonly seed: number;
}

export interface WebhookCounts {
  readonly held: number;
  readonly pending: number;
  readonly delivered: number;
  readonly failed: number;
  readonly attempts: number;
}

/** One portal of the simulated CRM, through its control API. */
export interface SimPortal {
  readonly portalId: string;
  readonly accessToken: string;
  /** Where the portal's own API answers. */
  readonly baseUrl: string;
  behave(patch: JsonObject): Promise<void>;
  addFault(fault: Omit<FaultStep, 'tenant' | 'source'>): Promise<void>;
  clearFaults(): Promise<void>;
  releaseAnswers(): Promise<void>;
  /** Somebody works in the CRM; answers the id of the record concerned. */
  human(action: JsonObject): Promise<string>;
  webhooks(action: JsonObject & { readonly action: WebhookAction }): Promise<void>;
  webhookCounts(): Promise<WebhookCounts>;
  records(type: string, archived: boolean): Promise<readonly CrmRecord[]>;
  calls(since?: number): Promise<readonly CrmCall[]>;
  /** Calls since the portal was made. */
  callCount(): Promise<number>;
  remove(): Promise<void>;
}

/** Makes a portal of its own in a running simulator. */
export async function openPortal(baseUrl: string, spec: PortalSpec): Promise<SimPortal> {
  const made = await call('POST', `${baseUrl}/_sim/portals`, spec);
  const portalId = textOf(made['portalId']);
  const at = (path: string): string => `${baseUrl}/_sim/portals/${portalId}${path}`;
  const done = async (answer: Promise<unknown>): Promise<void> => void (await answer);
  return {
    portalId,
    accessToken: spec.accessToken,
    baseUrl,
    behave: (patch) => done(call('PATCH', at('/behaviour'), patch)),
    addFault: (fault) => done(call('POST', at('/faults'), fault)),
    clearFaults: () => done(call('DELETE', at('/faults'))),
    releaseAnswers: () => done(call('POST', at('/release'), {})),
    human: async (action) => textOf((await call('POST', at('/human'), action))['id']),
    webhooks: (action) => done(call('POST', at('/webhooks'), action)),
    webhookCounts: async () => webhookCountsOf(await call('GET', at('/webhooks'))),
    records: async (type, archived) => {
      const answer = await call('GET', at(`/records/${type}?archived=${String(archived)}`));
      return listOf(answer['results']).map(recordOf);
    },
    calls: async (since = 0) =>
      listOf((await call('GET', at(`/calls?since=${since}`)))['calls']).map(callOf),
    callCount: async () => numberOf(objectOf((await call('GET', at('/counts')))['calls'])['total']),
    remove: () => done(call('DELETE', at(''))),
  };
}

function webhookCountsOf(answer: Readonly<Record<string, unknown>>): WebhookCounts {
  const of = (name: string): number => numberOf(answer[name]);
  return {
    held: of('held'),
    pending: of('pending'),
    delivered: of('delivered'),
    failed: of('failed'),
    attempts: of('attempts'),
  };
}

function recordOf(raw: Readonly<Record<string, unknown>>): CrmRecord {
  const properties = Object.entries(objectOf(raw['properties']));
  return {
    id: textOf(raw['id']),
    properties: Object.fromEntries(properties.map(([name, value]) => [name, textOrNull(value)])),
    archived: raw['archived'] === true,
    createdAtMs: Date.parse(textOf(raw['createdAt'])),
    associations: associationsOf(raw['associations']),
  };
}

/** `{companies: [{id, typeIds: [279, 1]}]}`: a link for each kind. */
function associationsOf(raw: unknown): readonly CrmAssociation[] {
  return Object.entries(objectOf(raw)).flatMap(([toType, ends]) =>
    listOf(ends).flatMap((end) => {
      const kinds: readonly unknown[] = Array.isArray(end['typeIds']) ? end['typeIds'] : [];
      return kinds.map((kind) => ({ toType, toId: textOf(end['id']), kind: textOf(kind) }));
    }),
  );
}

function callOf(raw: Readonly<Record<string, unknown>>): CrmCall {
  return {
    n: numberOf(raw['n']),
    atMs: numberOf(raw['atMs']),
    answeredAtMs: numberOrNull(raw['answeredAtMs']),
    method: textOf(raw['method']),
    path: textOf(raw['path']),
    kind: textOf(raw['kind']),
    status: numberOrNull(raw['status']),
    fault: textOrNull(raw['fault']),
    items: numberOf(raw['items']),
  };
}
