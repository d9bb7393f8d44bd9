import {
  asExternalId,
  eventKeyOf,
  fingerprintOfEvent,
  type ReadbackFinding,
  type SourceEvent,
} from '@counterpart/sync-model';
import type { Readback } from './readback.js';

/**
 * The verdict as an event of the source that was asked, so that it reaches the writer by the way
 * every statement about a source takes. Its record is the operation itself: it must neither wait
 * behind the events of a record nor count as one. The key names operation, version and probe, so a
 * repeat of this probe is a repeat and a later probe is not.
 */
export function readbackEvent(
  readback: Readback,
  finding: ReadbackFinding,
  nowMs: number,
): SourceEvent {
  const probeNumber = readback.attempts + 1;
  const payload = {
    kind: 'readback',
    shape: 'hint',
    fields: {},
    relations: [],
    revision: null,
    merge: null,
    readback: finding,
  } as const;
  const identity = [
    'readback',
    readback.operationId,
    String(readback.operationVersion),
    String(probeNumber),
  ].join('|');
  return {
    ...payload,
    eventKey: eventKeyOf(readback.tenantId, readback.sourceId, identity),
    tenantId: readback.tenantId,
    sourceId: readback.sourceId,
    provider: readback.provider,
    recordType: readback.recordType,
    externalId: asExternalId(`op:${readback.operationId}`),
    occurredAtMs: nowMs,
    receivedAtMs: nowMs,
    origin: 'unknown',
    originDetail: `readback:${probeNumber}`,
    fingerprint: fingerprintOfEvent(payload),
    backfill: false,
  };
}
