import type { CrmInbound, InboundRequest, InboundSource, RawChange } from '@counterpart/crm-port';
import type { SourceEvent } from '@counterpart/sync-model';
import { toSourceEvent } from '../domain/crm-events.js';
import type { Endpoint } from '../domain/endpoints.js';
import { notAuthentic, notKept, type Refusal } from '../domain/refusal.js';
import type { Accepted } from './accept-app-delivery.js';
import type { IngestPorts, Quarantined } from './ports.js';

export interface CrmDelivery {
  readonly endpoint: string;
  readonly request: InboundRequest;
}

/**
 * Takes a provider's delivery. Authentic items that fit no source, or that cannot be read, are put
 * in quarantine and the delivery is answered like any other: a provider repeats what is refused,
 * and an item that is wrong today is wrong again tomorrow.
 */
export const acceptCrmDelivery = async (
  { endpoint: name, request }: CrmDelivery,
  ports: IngestPorts & { readonly inboundFor: (provider: string) => CrmInbound | undefined },
): Promise<Accepted> => {
  const endpoint = (await ports.doors()).endpoints.get(name);
  const inbound = ports.inboundFor(endpoint?.provider ?? 'hubspot');
  const secrets = await ports.secrets(endpoint?.secretRefs ?? []);
  // An unknown address costs the same work as a wrong signature.
  const verdict = inbound?.verify(request, secrets.length === 0 ? [request.url] : secrets);
  if (endpoint === undefined || inbound === undefined || secrets.length === 0 || !verdict?.ok) {
    ports.refused({
      ...ownerOf(endpoint),
      code: verdict?.ok === false ? verdict.code : 'signature',
    });
    return { ok: false, refusal: notAuthentic };
  }
  const decoded = inbound.decode(request, (instanceId) => endpoint.sources.get(instanceId));
  const { events, strangers } = sortChanges(decoded.changes, endpoint, request.receivedAtMs);
  const quarantined: readonly Quarantined[] = [
    ...decoded.refused.map(({ index, code, detail }) => ({ itemIndex: index, code, detail })),
    ...strangers,
  ].map((item) => ({ ...item, endpoint: name, body: request.body }));
  return keep(events, quarantined, ownerOf(endpoint), ports);
};

const keep = async (
  events: readonly SourceEvent[],
  quarantined: readonly Quarantined[],
  owner: { readonly tenantId: string; readonly sourceId: string },
  ports: IngestPorts,
): Promise<Accepted> => {
  const refuse = (refusal: Refusal): Accepted => {
    ports.refused({ ...owner, code: refusal.code });
    return { ok: false, refusal };
  };
  try {
    await ports.publish(events);
    await ports.quarantine(quarantined);
  } catch {
    return refuse(notKept);
  }
  for (const { code } of quarantined) ports.refused({ ...owner, code });
  return { ok: true, events };
};

/** Whom a refusal is counted for; nobody when the endpoint serves several sources. */
const ownerOf = (endpoint: Endpoint | undefined): { tenantId: string; sourceId: string } => {
  const [only, other]: (InboundSource | undefined)[] = [...(endpoint?.sources.values() ?? [])];
  return only !== undefined && other === undefined ? only : { tenantId: '', sourceId: '' };
};

const sortChanges = (
  changes: readonly RawChange[],
  endpoint: Endpoint,
  receivedAtMs: number,
): {
  readonly events: readonly SourceEvent[];
  readonly strangers: readonly Omit<Quarantined, 'endpoint' | 'body'>[];
} => {
  const events: SourceEvent[] = [];
  const strangers: Omit<Quarantined, 'endpoint' | 'body'>[] = [];
  changes.forEach((change, index) => {
    const source = endpoint.sources.get(change.instanceId);
    if (source === undefined)
      strangers.push({
        itemIndex: index,
        code: 'unknown-source',
        detail: 'no source of this endpoint has this instance id',
      });
    else events.push(toSourceEvent(change, source, endpoint.provider, receivedAtMs));
  });
  return { events, strangers };
};
