import {
  asEntityId,
  asEventKey,
  asExternalId,
  asFingerprint,
  asSourceId,
  asTenantId,
  hash128,
  type SourceEvent,
} from '@counterpart/sync-model';
import type { SyncPlan } from '@counterpart/sync-plan';
import type { WriterMetrics } from '../application/ports.js';
import type { IdentitySnapshot } from '../domain/identity-snapshot.js';
import type { Entity, Mapping } from '../domain/work.js';

/** Builders of this service's words for its specs: everything has a default but what matters. */
export const tenantId = asTenantId('acme');
export const app = asSourceId('app');
export const crm = asSourceId('crm');
export const entityId = (name: string) => asEntityId(hash128(name));

export const plan: SyncPlan = {
  tenantId,
  records: {
    contact: {
      match: ['email'],
      fields: {
        email: { fieldType: { type: 'email' }, owner: 'last-change' },
        firstName: { fieldType: { type: 'text' }, owner: app },
        phone: { fieldType: { type: 'text' }, owner: 'last-change' },
        segment: { fieldType: { type: 'text' }, owner: crm },
        jobTitle: { fieldType: { type: 'text' }, owner: 'review' },
      },
    },
    company: {
      match: ['domain'],
      fields: {
        domain: { fieldType: { type: 'domain' }, owner: app },
        name: { fieldType: { type: 'text' }, owner: 'last-change' },
      },
    },
    meeting: { match: [], fields: { title: { fieldType: { type: 'text' }, owner: app } } },
  },
  sources: {
    app: {
      kind: 'app',
      provider: 'app',
      secrets: [],
      recordTypes: ['contact', 'company', 'meeting'],
    },
    crm: {
      kind: 'crm',
      provider: 'hubspot',
      baseUrl: 'https://api.example.com',
      allowPrivateAddress: false,
      accessToken: 'file:acme/token',
      settings: {},
      webhook: null,
      quota: {
        perSecond: null,
        perTenSeconds: 100,
        searchPerSecond: 5,
        concurrency: 8,
        reserve: 0,
      },
      timing: { requestDeadlineMs: 2_000, crmLongestRunMs: 3_000, indexLagMs: 10_000 },
      records: {
        contact: {
          objectName: 'contacts',
          fields: {
            email: 'email',
            firstName: 'firstname',
            phone: 'phone',
            segment: 'segment',
            jobTitle: 'jobtitle',
          },
        },
        company: { objectName: 'companies', fields: { domain: 'domain', name: 'name' } },
        meeting: { objectName: 'meetings', fields: { title: 'hs_meeting_title' } },
      },
    },
  },
};

export const event = (parts: Partial<SourceEvent> = {}): SourceEvent => ({
  eventKey: asEventKey(hash128(JSON.stringify(parts))),
  tenantId,
  sourceId: app,
  provider: parts.sourceId === crm ? 'hubspot' : 'app',
  recordType: 'contact',
  externalId: asExternalId('c-1'),
  kind: 'changed',
  shape: 'delta',
  fields: {},
  relations: [],
  revision: null,
  occurredAtMs: 1_000,
  receivedAtMs: 1_000,
  origin: 'unknown',
  originDetail: '',
  fingerprint: asFingerprint(hash128('payload')),
  merge: null,
  readback: null,
  backfill: false,
  ...parts,
});

export const entity = (parts: Partial<Entity> = {}): Entity => ({
  entityId: entityId('ada'),
  entityType: 'contact',
  status: 'live',
  mergedInto: null,
  version: 1,
  fields: {},
  provenance: {},
  ...parts,
});

export const mapping = (parts: Partial<Mapping> = {}): Mapping => ({
  sourceId: crm,
  recordType: 'contact',
  externalId: asExternalId('101'),
  entityId: entityId('ada'),
  status: 'linked',
  origin: 'created',
  base: {},
  versionToken: null,
  exclusive: true,
  ...parts,
});

export const emptySnapshot: IdentitySnapshot = {
  records: new Map(),
  keys: new Map(),
  entities: new Map(),
  mappings: [],
  sending: [],
};

export const noMetrics: WriterMetrics = {
  settled: () => undefined,
  fenceRefused: () => undefined,
  claimTakenOver: () => undefined,
};
