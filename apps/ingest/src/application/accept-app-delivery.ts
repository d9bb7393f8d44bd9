import { appKey } from '../domain/endpoints.js';
import { readAppChanges } from '../domain/read-app-changes.js';
import { notJson, readJson, type JsonResult } from '../domain/read-json.js';
import { malformed, notAuthentic, notKept, type Refusal } from '../domain/refusal.js';
import type { IngestPorts } from './ports.js';

export interface AppDelivery {
  readonly tenantId: string;
  readonly sourceId: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export type Accepted =
  | {
      readonly ok: true;
      /** In the order of the items; a CRM names none of its events, so those have no id. */
      readonly receipts: readonly { readonly id?: string; readonly eventKey: string }[];
    }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * Takes an app's request: authentic, well-formed, kept, in this order. An address that does not
 * exist goes through the same verification as a wrong signature and gets the same answer.
 */
export const acceptAppDelivery = async (
  delivery: AppDelivery,
  ports: IngestPorts,
): Promise<Accepted> => {
  const doors = await ports.doors();
  const entry = doors.apps.get(appKey(delivery.tenantId, delivery.sourceId));
  const { tenantId, sourceId } = entry?.source ?? { tenantId: '', sourceId: '' };
  const refuse = (refusal: Refusal): Accepted => {
    ports.refused({ tenantId, sourceId, code: refusal.code });
    return { ok: false, refusal };
  };
  const secrets = await ports.secrets(entry?.secretRefs ?? []);
  const isAuthentic = ports.verifyApp(delivery, secrets, ports.clock.nowMs());
  if (!isAuthentic || entry === undefined) return refuse(notAuthentic);
  const json = readBody(delivery.body);
  if (!json.ok) return refuse(malformed(json.code, json.message));
  const read = readAppChanges(json.value, entry.source, ports.clock.nowMs());
  if (!read.ok) return refuse(read.refusal);
  try {
    await ports.publish(read.events);
  } catch {
    return refuse(notKept);
  }
  return { ok: true, receipts: read.receipts };
};

/** Bytes that are no UTF-8 are refused, never replaced: the signature was over them. */
const readBody = (body: Uint8Array): JsonResult => {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return notJson;
  }
  return readJson(text);
};
