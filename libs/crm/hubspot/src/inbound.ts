import type { CrmInbound } from '@counterpart/crm-port';

/** The receiving half of HubSpot: webhooks v3. Pure; the only outside help is HMAC. */
export const hubspotInbound: CrmInbound = {
  provider: 'hubspot',
  verify: () => ({ ok: false, code: 'not-built' }),
  decode: () => ({ changes: [], refused: [], ignored: 0 }),
};
