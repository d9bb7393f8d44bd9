import type { DecodeResult, InboundRequest, InboundSource, RawChange } from '@counterpart/crm-port';
import type { CanonicalValue } from '@counterpart/sync-model';
import { decodeEvent, type DecodedEvent } from './decode-event.js';
import { idAt, type HubspotEvent } from './event-parts.js';
import { readJson } from './raw-json.js';

/** HubSpot sends at most this many events in one delivery. */
const eventsMax = 100;

/** Index of a refusal that concerns the delivery as a whole; nothing of it was read. */
export const wholeDelivery = -1;

/**
 * All events of one verified delivery, each judged by itself. Refused as a whole (index −1) when it
 * is no text, no JSON, too deep, no list, or too long: `not-utf8`, `malformed-json`, `too-deep`,
 * `not-a-list`, `too-many-events`. One event: `not-an-object`, `unknown-instance` and the codes of
 * `decodeEvent`.
 */
export const decodeDelivery = (
  request: InboundRequest,
  sourceOf: (instanceId: string) => InboundSource | undefined,
): DecodeResult => {
  const events = eventsOf(request.body);
  if (!Array.isArray(events)) return refusedWhole(events.code);
  const changes: RawChange[] = [];
  const refused: DecodeResult['refused'][number][] = [];
  let ignored = 0;
  events.forEach((event, index) => {
    const decoded = decodeOne(event, sourceOf);
    if (decoded.kind === 'change') changes.push(decoded.change);
    else if (decoded.kind === 'ignored') ignored += 1;
    else refused.push({ index, code: decoded.code, detail: decoded.detail });
  });
  return { changes, refused, ignored };
};

const refusedWhole = (code: string): DecodeResult => ({
  changes: [],
  refused: [{ index: wholeDelivery, code, detail: 'the delivery is no list of up to 100 events' }],
  ignored: 0,
});

const eventsOf = (body: Uint8Array): CanonicalValue[] | { readonly code: string } => {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return { code: 'not-utf8' };
  }
  const reading = readJson(text);
  if (!reading.ok) return { code: reading.code };
  if (!Array.isArray(reading.value)) return { code: 'not-a-list' };
  return reading.value.length > eventsMax ? { code: 'too-many-events' } : reading.value;
};

const decodeOne = (
  event: CanonicalValue,
  sourceOf: (instanceId: string) => InboundSource | undefined,
): DecodedEvent => {
  if (event === null || typeof event !== 'object' || Array.isArray(event)) {
    return { kind: 'refused', code: 'not-an-object', detail: 'the event is no JSON object' };
  }
  const fields = event as HubspotEvent;
  const instanceId = idAt(fields, 'portalId');
  const source = instanceId === undefined ? undefined : sourceOf(instanceId);
  if (source === undefined) {
    return {
      kind: 'refused',
      code: 'unknown-instance',
      detail: 'no source has this portalId here',
    };
  }
  return decodeEvent(fields, source);
};
