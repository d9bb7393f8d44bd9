import type { Connection } from '@counterpart/crm-port';
import { asSourceId } from '@counterpart/sync-model';
import { crmRecordMaps, sourcePlanOf } from './lookups.js';
import type { SecretRef, SyncPlan } from './plan.js';

interface Unavailable {
  readonly ok: false;
  /** `not-a-crm-source`, or the resolver's own: `secret-missing`, … */
  readonly code: string;
  readonly detail: string;
}
/** As `resolveSecret` of platform-config answers. */
export type SecretLookup =
  { readonly ok: true; readonly value: { reveal(): string } } | Unavailable;
export type ConnectionResult = { readonly ok: true; readonly connection: Connection } | Unavailable;

/** What a connection needs of the service that opens it. */
export interface ConnectionPorts {
  readonly resolveSecret: (ref: SecretRef) => Promise<SecretLookup>;
  /** The operator's word beside the plan's: a tenant alone does not reach into our own network. */
  readonly allowPrivateAddresses: boolean;
}

/**
 * One CRM source with its secret resolved, as an adapter wants it; never log the result. A source
 * that is gone from the plan, or a secret that cannot be read, is an answer and not an exception.
 */
export async function connectionOf(
  plan: SyncPlan,
  sourceId: string,
  ports: ConnectionPorts,
): Promise<ConnectionResult> {
  const source = sourcePlanOf(plan, sourceId);
  if (source?.kind !== 'crm')
    return {
      ok: false,
      code: 'not-a-crm-source',
      detail: `${sourceId} is not a CRM source of this plan`,
    };
  const secret = await ports.resolveSecret(source.accessToken);
  if (!secret.ok) return secret;
  const connection: Connection = {
    tenantId: plan.tenantId,
    sourceId: asSourceId(sourceId),
    provider: source.provider,
    baseUrl: source.baseUrl,
    allowPrivateAddress: source.allowPrivateAddress && ports.allowPrivateAddresses,
    accessToken: secret.value.reveal(),
    timing: source.timing,
    settings: source.settings,
    records: crmRecordMaps(plan, source),
  };
  return { ok: true, connection };
}
