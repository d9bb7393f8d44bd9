import { createHmac } from 'node:crypto';
import type { AcceptedChange } from '../domain/evidence.js';
import type { PlannedRequest } from '../domain/plan-push.js';
import type { SignatureKind } from '../format/steps.js';
import { exchange, listOf, objectOf, textOf, Unreachable } from './json-http.js';

export interface AppDoor {
  readonly ingestUrl: string;
  readonly tenantId: string;
  readonly sourceId: string;
  /** Base64 keys without prefix: the source's own, and one nobody accepts any more. */
  readonly secret: string;
  readonly retiredSecret: string;
  /** The secret of another tenant's app. */
  readonly foreignSecret: string;
}

export interface IngestAnswer {
  readonly status: number;
  /** Code of the refusal; empty for 202. */
  readonly code: string;
  readonly accepted: readonly AcceptedChange[];
  readonly retryAfterMs: number | null;
}

/** Sends one delivery once. 0 stands for "nobody answered". */
export async function deliver(
  door: AppDoor,
  request: PlannedRequest,
  signature: SignatureKind,
): Promise<IngestAnswer> {
  const url = `${door.ingestUrl}/v1/tenants/${door.tenantId}/sources/${door.sourceId}/changes`;
  const headers = signedHeaders(door, request, signature);
  try {
    const reply = await exchange('POST', url, { text: request.body, headers });
    const body = objectOf(reply.body);
    return {
      status: reply.status,
      code: textOf(objectOf(body['error'])['code']),
      accepted: listOf(body['receipts']).map((receipt) => ({
        changeId: textOf(receipt['id']),
        eventKey: textOf(receipt['eventKey']),
      })),
      retryAfterMs: reply.retryAfterMs,
    };
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return { status: 0, code: 'unreachable', accepted: [], retryAfterMs: null };
  }
}

const staleByMs = 3_600_000;

/** Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`, seconds, base64, version prefix. */
function signedHeaders(
  door: AppDoor,
  request: PlannedRequest,
  signature: SignatureKind,
): Readonly<Record<string, string>> {
  const sentAtMs = Date.now() - (signature === 'stale' ? staleByMs : 0);
  const timestamp = String(Math.floor(sentAtMs / 1000));
  const signed = createHmac('sha256', Buffer.from(keyFor(door, signature), 'base64'))
    .update(`${request.deliveryId}.${timestamp}.${request.body}`)
    .digest('base64');
  return {
    'webhook-id': request.deliveryId,
    'webhook-timestamp': timestamp,
    ...(signature === 'missing' ? {} : { 'webhook-signature': `v1,${signed}` }),
  };
}

function keyFor(door: AppDoor, signature: SignatureKind): string {
  switch (signature) {
    case 'valid':
    case 'missing':
    case 'stale':
      return door.secret;
    case 'wrong':
      return Buffer.from('nobody has this key').toString('base64');
    case 'other-tenant':
      return door.foreignSecret;
    case 'retired':
      return door.retiredSecret;
    default:
      return signature satisfies never;
  }
}
