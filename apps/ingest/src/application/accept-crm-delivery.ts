import type { CrmInbound, InboundRequest, InboundSource } from '@counterpart/crm-port';
import type { SourceEvent } from '@counterpart/sync-model';
import { toSourceEvent } from '../domain/crm-events.js';
import type { SecretGroup } from '../domain/endpoints.js';
import { notAuthentic, notKept } from '../domain/refusal.js';
import type { Accepted } from './accept-app-delivery.js';
import type { IngestPorts, QuarantinedItem } from './ports.js';

export interface CrmDelivery {
  readonly endpoint: string;
  readonly request: InboundRequest;
}

export type CrmDeliveryPorts = IngestPorts & {
  readonly inboundFor: (provider: string) => CrmInbound | undefined;
};

/**
 * Takes a provider's delivery. Authentic items that fit no source, or that cannot be read, are put
 * in quarantine and the delivery is answered like any other: a provider repeats what is refused,
 * and an item that is wrong today is wrong again tomorrow.
 */
export const acceptCrmDelivery = async (
  delivery: CrmDelivery,
  ports: CrmDeliveryPorts,
): Promise<Accepted> => {
  const { endpoint, request } = delivery;
  const groups = (await ports.doors()).endpoints.get(endpoint) ?? [];
  const owner = ownerOf(groups);
  const sender = await senderOf(request, groups, ports);
  if (!sender.ok) {
    ports.refused({ ...owner, code: sender.code });
    return { ok: false, refusal: notAuthentic };
  }
  const { items, events } = read(request, sender);
  try {
    await ports.publish(events);
    if (items.length > 0) await ports.quarantine({ endpoint, body: request.body, items });
  } catch {
    ports.refused({ ...owner, code: notKept.code });
    return { ok: false, refusal: notKept };
  }
  for (const { code } of items) ports.refused({ ...owner, code });
  return { ok: true, receipts: events.map(({ eventKey }) => ({ eventKey })) };
};

interface Sender {
  readonly provider: string;
  readonly inbound: CrmInbound;
  /** Sources the signature speaks for. */
  readonly sources: ReadonlyMap<string, InboundSource>;
}
type SenderResult =
  ({ readonly ok: true } & Sender) | { readonly ok: false; readonly code: string };

/** An address nobody has costs the same work as a wrong signature, and gets the same answer. */
const nobody: SecretGroup = { provider: 'hubspot', secretRefs: [], sources: new Map() };

/**
 * Every group is tried: in the middle of a rotation one secret may be on the list of several. All
 * groups that it verifies are of one provider, whose signature it is.
 */
const senderOf = async (
  request: InboundRequest,
  groups: readonly SecretGroup[],
  ports: CrmDeliveryPorts,
): Promise<SenderResult> => {
  const verified: Sender[] = [];
  let code = 'signature';
  for (const { provider, secretRefs, sources } of groups.length === 0 ? [nobody] : groups) {
    const inbound = ports.inboundFor(provider);
    const secrets = await ports.secrets(secretRefs);
    const verdict = inbound?.verify(request, secrets.length === 0 ? [request.url] : secrets);
    if (verdict?.ok && inbound !== undefined && secrets.length > 0)
      verified.push({ provider, inbound, sources });
    else if (verdict?.ok === false) code = verdict.code;
  }
  const [first] = verified;
  if (first === undefined) return { ok: false, code };
  const sameProvider = verified.filter(({ provider }) => provider === first.provider);
  return { ok: true, ...first, sources: new Map(sameProvider.flatMap((one) => [...one.sources])) };
};

const read = (
  request: InboundRequest,
  { inbound, provider, sources }: Sender,
): { readonly events: readonly SourceEvent[]; readonly items: readonly QuarantinedItem[] } => {
  const decoded = inbound.decode(request, (instanceId) => sources.get(instanceId));
  const events: SourceEvent[] = [];
  const items: QuarantinedItem[] = [...decoded.refused];
  for (const change of decoded.changes) {
    const source = sources.get(change.instanceId);
    if (source !== undefined)
      events.push(toSourceEvent(change, source, provider, request.receivedAtMs));
    else items.push({ index: wholeDelivery, code: 'unknown-instance', detail: change.recordType });
  }
  return { events, items };
};

/** Index of an item whose place in the delivery is not known. */
const wholeDelivery = -1;

/** Whom a refusal is counted for; nobody when the endpoint serves several sources. */
const ownerOf = (
  groups: readonly SecretGroup[],
): { readonly tenantId: string; readonly sourceId: string } => {
  const [only, other] = groups.flatMap(({ sources }) => [...sources.values()]);
  return only !== undefined && other === undefined
    ? { tenantId: only.tenantId, sourceId: only.sourceId }
    : { tenantId: '', sourceId: '' };
};
