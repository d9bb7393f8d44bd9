import type {
  CallScope,
  Connection,
  HttpOutcome,
  HttpRequest,
  RecordMap,
} from '@counterpart/crm-port';
import { asSourceId, asTenantId, type Fields } from '@counterpart/sync-model';
import { createHubspotAdapter } from '../adapter.js';

/** An adapter for three record types, whose HTTP answers are written by hand. */
export const contact: RecordMap = {
  recordType: 'contact',
  objectName: 'contacts',
  matchFields: ['email'],
  fields: [
    { field: 'email', property: 'email', fieldType: { type: 'email' } },
    { field: 'firstName', property: 'firstname', fieldType: { type: 'text' } },
  ],
};
const company: RecordMap = {
  recordType: 'company',
  objectName: 'companies',
  matchFields: ['domain'],
  fields: [
    { field: 'domain', property: 'domain', fieldType: { type: 'domain' } },
    { field: 'name', property: 'name', fieldType: { type: 'text' } },
  ],
};
const meeting: RecordMap = {
  recordType: 'meeting',
  objectName: 'meetings',
  matchFields: [],
  fields: [{ field: 'title', property: 'hs_meeting_title', fieldType: { type: 'text' } }],
};

export interface Call extends HttpRequest {
  readonly path: string;
  readonly sent: {
    inputs: { id: string; objectWriteTraceId: string; properties: Fields }[];
  } & Fields;
}
export type Answer = (call: Call) => HttpOutcome;

export const ok = (body: unknown, status = 200): HttpOutcome => ({
  kind: 'answer',
  status,
  headers: {},
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
export const key = { name: 'counterpart_key', hasUniqueValue: true };
export const missing = ok({ category: 'OBJECT_NOT_FOUND' }, 404);

/** Each call takes the first answer; the last one stays. `clock` may be moved by an answer. */
export const world = (
  answers: (Answer | HttpOutcome)[],
  settings: object = { uniqueProperty: 'never' },
) => {
  const calls: Call[] = [];
  const scopes: CallScope[] = [];
  const pauses: [number, string][] = [];
  const clock = { now: 1_000_000, nowMs: () => clock.now, monotonicMs: () => clock.now };
  const grants: { ok: false; retryAtMs: number }[] = [];
  const connection: Connection = {
    tenantId: asTenantId('acme'),
    sourceId: asSourceId('crm'),
    provider: 'hubspot',
    baseUrl: 'https://api.example/',
    allowPrivateAddress: false,
    accessToken: 'token-1',
    timing: { requestDeadlineMs: 10_000, crmLongestRunMs: 20_000, indexLagMs: 30_000 },
    settings: { ...settings },
    records: [contact, company, meeting],
  };
  const adapter = createHubspotAdapter(connection, {
    clock,
    http: async (request) => {
      const path = request.url.replace('https://api.example', '');
      const call = { ...request, path, sent: JSON.parse(request.body ?? '{}') };
      calls.push(call);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === undefined) throw new Error('nothing more was scripted');
      return typeof answer === 'function' ? answer(call) : answer;
    },
    budget: {
      take: async (scope) => {
        scopes.push(scope);
        return grants.shift() ?? { ok: true };
      },
      pause: async (untilMs, reason) => void pauses.push([untilMs - clock.now, reason]),
    },
  });
  return { adapter, calls, scopes, pauses, clock, grants };
};

export const item = (email: string | null, marker = 'm-1') => ({ marker, fields: { email } });
export const found = (id: string, properties: object = {}, more: object = {}) => ({
  id,
  properties,
  ...more,
});
export const all = (results: unknown[], errors?: unknown[], status = errors ? 207 : 200) =>
  ok(
    { status: 'COMPLETE', results, ...(errors ? { numErrors: errors.length, errors } : {}) },
    status,
  );
export const conflict = (id: number, traceId?: string) => ({
  status: 'error',
  category: 'CONFLICT',
  message: `Contact already exists. Existing ID: ${id}`,
  context: traceId === undefined ? {} : { objectWriteTraceId: [traceId] },
});
