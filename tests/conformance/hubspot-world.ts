import { startCrmSim, type FaultRule, type RunningCrmSim } from '@counterpart/crm-sim';
import {
  samplePlan,
  type AdapterOptions,
  type CallKind,
  type ConformancePortal,
  type ConformanceWorld,
  type Human,
  type PortalBehaviour,
  type PortalFault,
  type PortalOptions,
} from '@counterpart/crm-conformance';
import type { Connection, ConnectionTiming, CrmPorts, RecordMap } from '@counterpart/crm-port';
import { adapterFor } from '@counterpart/crm-registry';
import { createHttpClient, type HttpClient } from '@counterpart/platform-http';
import {
  asExternalId,
  asSourceId,
  asTenantId,
  type Fields,
  type RecordType,
} from '@counterpart/sync-model';

/** HubSpot's names for the sample plan; those with `cp_` are properties of the portal's own. */
const names: Readonly<Record<RecordType, { objectName: string; of: Record<string, string> }>> = {
  contact: {
    objectName: 'contacts',
    of: {
      email: 'email',
      firstName: 'firstname',
      phone: 'phone',
      birthday: 'cp_birthday',
      seenAt: 'cp_seen_at',
      size: 'cp_size',
      score: 'cp_score',
      isMember: 'cp_is_member',
    },
  },
  company: { objectName: 'companies', of: { domain: 'domain', name: 'name' } },
  meeting: {
    objectName: 'meetings',
    of: {
      title: 'hs_meeting_title',
      startsAt: 'hs_meeting_start_time',
      endsAt: 'hs_meeting_end_time',
      notes: 'hs_meeting_body',
    },
  },
};

const ownProperties = [
  { name: 'cp_birthday', type: 'date', fieldType: 'date' },
  { name: 'cp_seen_at', type: 'datetime', fieldType: 'date' },
  {
    name: 'cp_size',
    type: 'enumeration',
    fieldType: 'select',
    options: ['small', 'large'].map((value) => ({ label: value, value })),
  },
  { name: 'cp_score', type: 'number', fieldType: 'number' },
  { name: 'cp_is_member', type: 'bool', fieldType: 'booleancheckbox' },
];

const maps: readonly RecordMap[] = Object.entries(samplePlan).map(([recordType, plan]) => ({
  recordType,
  objectName: names[recordType]?.objectName ?? '',
  matchFields: plan.match,
  fields: Object.entries(plan.fields).map(([field, fieldType]) => ({
    field,
    property: propertyOf(recordType, field),
    fieldType,
  })),
}));

function propertyOf(recordType: RecordType, field: string): string {
  return names[recordType]?.of[field] ?? '';
}
const objectOf = (recordType: RecordType): string => names[recordType]?.objectName ?? '';

const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };
let portalsMade = 0;

/** The simulated HubSpot, in this process but behind a real socket and the real HTTP client. */
export const hubspotWorld = (): ConformanceWorld & { close(): Promise<void> } => {
  const http = createHttpClient();
  let sim: Promise<RunningCrmSim> | undefined;
  return {
    openPortal: async (options) => {
      sim ??= startCrmSim({ host: '127.0.0.1', port: 0 });
      return openPortal((await sim).url, http, options);
    },
    close: async () => {
      await (await sim)?.close();
      await http.close();
    },
  };
};

const openPortal = async (
  simUrl: string,
  http: HttpClient,
  options: PortalOptions = {},
): Promise<ConformancePortal> => {
  const accessToken = `token-${(portalsMade += 1)}`;
  const call = caller(simUrl, accessToken);
  const { portalId } = await call<{ portalId: number }>('POST', '/_sim/portals', {
    accessToken,
    appId: 456,
    clientSecret: 'secret',
    uniqueProperties: options.uniqueProperties ?? 'allowed',
    seed: portalsMade,
    behaviour: { webhooks: 'drop', rateLimit: { perTenSeconds: null, searchPerSecond: null } },
  });
  const control = `/_sim/portals/${portalId}`;
  for (const property of ownProperties) {
    await call('POST', '/crm/v3/properties/contacts', {
      label: property.name,
      groupName: 'contactinformation',
      ...property,
    });
  }
  const budget = sharedBudget();
  const connect = (changes: AdapterOptions = {}) =>
    adapterOf(
      { simUrl, accessToken, timing: { ...options.timing } },
      { http: http.send, clock, budget },
      changes,
    );
  return {
    adapter: connect(),
    connect,
    pauses: budget.pauses,
    human: humanOf((action) => call('POST', `${control}/human`, action)),
    behave: async (behaviour) => {
      await call('PATCH', `${control}/behaviour`, behaviourOf(behaviour));
    },
    strike: async (on, fault, skip = 0) => {
      const rule = { match: { kind: on }, times: 1, offset: skip, fault: faultOf(fault) };
      await call('POST', `${control}/faults`, rule);
    },
    records: async (recordType) => {
      const { results } = await call<{ results: SimRecord[] }>(
        'GET',
        `${control}/records/${objectOf(recordType)}`,
      );
      return results.map(storedRecord);
    },
    calls: async (on: CallKind) =>
      (await call<{ calls: Partial<Record<CallKind, number>> }>('GET', `${control}/counts`)).calls[
        on
      ] ?? 0,
    close: async () => {
      await call('DELETE', control);
    },
  };
};

/** One adapter of a portal, as a process of its own would have it. */
const adapterOf = (
  portal: { simUrl: string; accessToken: string; timing: Partial<ConnectionTiming> },
  ports: CrmPorts,
  changes: AdapterOptions,
) => {
  const connection: Connection = {
    tenantId: asTenantId('acme'),
    sourceId: asSourceId('crm'),
    provider: 'hubspot',
    // Port 1 is refused at once everywhere.
    baseUrl: changes.isUnreachable ? 'http://127.0.0.1:1' : portal.simUrl,
    allowPrivateAddress: true,
    accessToken: changes.accessToken ?? portal.accessToken,
    timing: {
      requestDeadlineMs: 5_000,
      crmLongestRunMs: 10_000,
      indexLagMs: 2_000,
      ...portal.timing,
      ...changes.timing,
    },
    settings: { uniqueProperty: changes.mayMakeUniqueProperty === false ? 'never' : 'auto' },
    records: maps,
  };
  const adapter = adapterFor(connection, ports);
  if (adapter === undefined) throw new Error('the registry does not know hubspot');
  return adapter;
};

/** Grants everything until an adapter says that the provider asked for silence. */
const sharedBudget = () => {
  const pauses: { untilMs: number; reason: string }[] = [];
  return {
    pauses,
    take: async () => {
      const retryAtMs = Math.max(0, ...pauses.map((pause) => pause.untilMs));
      return retryAtMs > Date.now() ? ({ ok: false, retryAtMs } as const) : ({ ok: true } as const);
    },
    pause: async (untilMs: number, reason: string) => void pauses.push({ untilMs, reason }),
  };
};

/** Any call of the simulator; the answer is read as JSON and trusted, as this is our own. */
const caller =
  (simUrl: string, accessToken: string) =>
  async <Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(simUrl + path, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text === '' ? 'null' : text) as Answer;
  };

const humanOf = (act: (action: object) => Promise<{ id: string }>): Human => {
  const done = async (action: object) => {
    await act(action);
  };
  const properties = (recordType: RecordType, fields: Fields) =>
    Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [propertyOf(recordType, field), value]),
    );
  return {
    create: async (recordType, fields) => {
      const action = {
        action: 'create',
        type: objectOf(recordType),
        properties: properties(recordType, fields),
        force: true,
      };
      return asExternalId((await act(action)).id);
    },
    update: (recordType, id, fields) =>
      done({
        action: 'update',
        type: objectOf(recordType),
        id,
        properties: properties(recordType, fields),
      }),
    delete: (recordType, id) => done({ action: 'delete', type: objectOf(recordType), id }),
    restore: (recordType, id) => done({ action: 'restore', type: objectOf(recordType), id }),
    merge: async (recordType, loserId, intoId) => {
      const action = { action: 'merge', type: objectOf(recordType), id: loserId, intoId };
      return asExternalId((await act(action)).id);
    },
  };
};

const behaviourOf = (behaviour: PortalBehaviour): object => ({
  ...(behaviour.indexLagMs === undefined ? {} : { indexLagMs: behaviour.indexLagMs }),
  ...(behaviour.mergeKeepsPrimaryId === undefined
    ? {}
    : { mergeRegime: behaviour.mergeKeepsPrimaryId ? 'keep-primary' : 'third-id' }),
  ...(behaviour.truncateContact === undefined
    ? {}
    : {
        truncate: Object.fromEntries(
          Object.entries(behaviour.truncateContact).map(([field, max]) => [
            propertyOf('contact', field),
            max,
          ]),
        ),
      }),
});

const faultOf = (fault: PortalFault): Partial<FaultRule['fault']> => {
  switch (fault.kind) {
    case 'lost-answer':
      return { type: 'reset-after' };
    case 'slow':
      return { type: 'delay', delayMs: fault.ms };
    case 'reset-before':
      return { type: 'reset-before' };
    case 'empty-success':
      return { type: 'status', status: 200, body: '', afterCommit: true };
    case 'status':
      return { type: 'status', status: fault.status, afterCommit: fault.isDone ?? false };
    case 'throttle':
      return {
        type: 'status',
        status: 429,
        policyName: 'TEN_SECONDLY_ROLLING',
        ...(fault.retryAfter === undefined ? {} : { retryAfter: fault.retryAfter }),
      };
    default:
      return fault satisfies never;
  }
};

interface SimRecord {
  readonly id: string;
  readonly associations: Readonly<Record<string, readonly { readonly id: string }[]>>;
}

const storedRecord = (record: SimRecord) => ({
  externalId: asExternalId(record.id),
  associatedWith: Object.values(record.associations)
    .flat()
    .map(({ id }) => asExternalId(id)),
});
