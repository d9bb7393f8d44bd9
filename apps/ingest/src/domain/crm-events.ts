import type { InboundSource, RawChange } from '@counterpart/crm-port';
import { eventKeyOf, fingerprintOfEvent, type SourceEvent } from '@counterpart/sync-model';

/** A provider's change as a source event of the tenant it belongs to. */
export const toSourceEvent = (
  change: RawChange,
  source: InboundSource,
  provider: string,
  receivedAtMs: number,
): SourceEvent => {
  const { kind, shape, fields, revision, merge } = change;
  const payload = { kind, shape, fields, revision, merge, relations: [] };
  return {
    ...payload,
    eventKey: eventKeyOf(source.tenantId, source.sourceId, change.identity),
    tenantId: source.tenantId,
    sourceId: source.sourceId,
    provider,
    recordType: change.recordType,
    externalId: change.externalId,
    occurredAtMs: change.occurredAtMs,
    receivedAtMs,
    origin: change.origin,
    originDetail: change.originDetail,
    fingerprint: fingerprintOfEvent(payload),
    readback: null,
    backfill: false,
  };
};
