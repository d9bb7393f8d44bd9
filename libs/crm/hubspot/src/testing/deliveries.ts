import type { InboundSource, RawChange } from '@counterpart/crm-port';
import { asSourceId, asTenantId } from '@counterpart/sync-model';
import { decodeDelivery } from '../inbound/decode.js';

export const source: InboundSource = {
  tenantId: asTenantId('acme'),
  sourceId: asSourceId('crm'),
  instanceId: '62515',
  ownMarker: '456',
  records: [
    {
      recordType: 'contact',
      objectName: 'contacts',
      matchFields: ['email'],
      fields: [
        { field: 'email', property: 'email', fieldType: { type: 'email' } },
        { field: 'firstName', property: 'firstname', fieldType: { type: 'text' } },
        { field: 'birthday', property: 'birth', fieldType: { type: 'date' } },
      ],
    },
    {
      recordType: 'meeting',
      objectName: 'meetings',
      matchFields: [],
      fields: [
        { field: 'startsAt', property: 'hs_meeting_start_time', fieldType: { type: 'instant' } },
      ],
    },
    { recordType: 'pet', objectName: '2-345', matchFields: [], fields: [] },
  ],
};

export const base = {
  eventId: 1,
  subscriptionId: 12,
  portalId: 62515,
  appId: 456,
  occurredAt: 1700000000000,
  attemptNumber: 0,
  objectId: 1246965,
  changeSource: 'CRM_UI',
  sourceId: 'userId:7',
};
export const changed = {
  ...base,
  subscriptionType: 'contact.propertyChange',
  propertyName: 'firstname',
  propertyValue: 'Ada',
};

export const decodeText = (text: string | Uint8Array) =>
  decodeDelivery(
    {
      method: 'POST',
      url: 'https://hooks.example/x',
      headers: {},
      body: typeof text === 'string' ? Buffer.from(text) : text,
      receivedAtMs: 1700000001000,
    },
    (instanceId) => (instanceId === source.instanceId ? source : undefined),
  );
export const decode = (...events: unknown[]) => decodeText(JSON.stringify(events));
export const only = (event: object): RawChange => {
  const { changes, refused } = decode(event);
  expect(refused).toEqual([]);
  const [change] = changes;
  if (changes.length !== 1 || change === undefined) throw new Error('expected one change');
  return change;
};
