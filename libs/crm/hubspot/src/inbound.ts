import type { CrmInbound } from '@counterpart/crm-port';
import { decodeDelivery } from './inbound/decode.js';
import { verifySignature } from './inbound/verify.js';

/** The receiving half of HubSpot: webhooks v3. Pure; the only outside help is HMAC. */
export const hubspotInbound: CrmInbound = {
  provider: 'hubspot',
  placeOf: ({ portalId, appId }) => ({ instanceId: idText(portalId), ownMarker: idText(appId) }),
  verify: verifySignature,
  decode: decodeDelivery,
};

/** Ids are written with and without quotes in plans. */
const idText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
