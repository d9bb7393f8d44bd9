import { randomBytes } from 'node:crypto';
import type { Answer } from '../answers/answer.js';
import type { PortalRegistry } from '../portals/portal-registry.js';
import type { Portal } from '../portals/portal.js';

const LIFE_S = 1_800;

/** The portal a refresh token belongs to; `refresh-<portalId>` unless the portal was given another. */
export function portalOfRefreshToken(
  portals: PortalRegistry,
  form: URLSearchParams,
): Portal | undefined {
  const token = form.get('refresh_token');
  return portals
    .list()
    .find((portal) => (portal.spec.refreshToken ?? `refresh-${portal.spec.portalId}`) === token);
}

/** `POST /oauth/v1/token`: a fresh access token for 30 minutes; the refresh token stays the same. */
export function refreshToken(portal: Portal, form: URLSearchParams): Answer {
  if (form.get('grant_type') !== 'refresh_token')
    return badGrant('BAD_GRANT_TYPE', 'unsupported grant type');
  if (form.get('client_secret') !== portal.spec.clientSecret) {
    return badGrant('BAD_CLIENT_SECRET', 'missing or unknown client secret');
  }
  const accessToken = randomBytes(24).toString('base64url');
  const nowMs = portal.clock.nowMs();
  for (const [token, endsAtMs] of portal.refreshedTokens) {
    if (endsAtMs < nowMs - 86_400_000) portal.refreshedTokens.delete(token);
  }
  portal.refreshedTokens.set(accessToken, nowMs + LIFE_S * 1_000);
  return {
    status: 200,
    body: {
      token_type: 'bearer',
      access_token: accessToken,
      refresh_token: form.get('refresh_token'),
      expires_in: LIFE_S,
    },
  };
}

/** The OAuth endpoint's own kind of 400. */
export const badGrant = (status: string, message: string): Answer => ({
  status: 400,
  body: { status, message, correlationId: randomBytes(16).toString('hex') },
});

/** `GET /oauth/v1/access-tokens/{token}`: which portal and app a token speaks for. */
export const describeToken = (portal: Portal, token: string): Answer => ({
  status: 200,
  body: {
    token,
    user: 'integration@example.com',
    hub_domain: `portal-${portal.spec.portalId}.example.com`,
    scopes: ['oauth', 'crm.objects.contacts.write', 'crm.objects.companies.write'],
    hub_id: portal.spec.portalId,
    app_id: portal.spec.appId,
    expires_in: LIFE_S,
    user_id: 1,
    token_type: 'access',
  },
});
