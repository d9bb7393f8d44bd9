import type { CrmInbound } from '@counterpart/crm-port';
import { decodeDelivery } from './inbound/decode.js';
import { verifySignature } from './inbound/verify.js';

/** The receiving half of HubSpot: webhooks v3. Pure; the only outside help is HMAC. */
export const hubspotInbound: CrmInbound = {
  provider: 'hubspot',
  verify: verifySignature,
  decode: decodeDelivery,
};
