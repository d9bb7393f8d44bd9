import type { Answer } from '../answers/answer.js';
import type { CrmRecord } from '../objects/record.js';
import { isLive } from '../objects/record.js';
import { systemProperties } from '../objects/render-record.js';
import type { Portal } from '../portals/portal.js';
import { instantText, shownValue } from '../properties/values.js';
import type { ControlCall } from './control-endpoint.js';
import { controlError } from './control-error.js';

/**
 * `GET …/records/:type`: live records as they are stored, whatever search shows. `?archived=true`
 * gives the others: the recycle bin, merged away (`mergedInto`), erased (`erased`).
 */
export function showRecords(portal: Portal, call: ControlCall): Answer {
  const name = call.rest[1] ?? '';
  const type = portal.type(name);
  if (!type) return controlError(404, 'unknown-type', `There is no object type ${name}.`);
  const wantsArchived = call.query.get('archived') === 'true';
  const results = [...portal.records.all(type)]
    .filter((record) => isLive(record) !== wantsArchived)
    .map((record) => renderStored(portal, record));
  return { status: 200, body: { results } };
}

function renderStored(portal: Portal, record: CrmRecord): Record<string, unknown> {
  const shown = [...record.properties].map(([name, value]) => [
    name,
    shownValue(portal.properties.find(record.type, name), value),
  ]);
  const links: Record<string, { id: string; typeIds: readonly number[] }[]> = {};
  for (const edge of portal.associations.list(record.type.name, record.id)) {
    (links[edge.toType] ??= []).push({ id: edge.toId, typeIds: edge.typeIds });
  }
  return {
    id: record.id,
    properties: { ...Object.fromEntries(shown), ...systemProperties(record) },
    archived: record.archivedAtMs !== null,
    createdAt: instantText(record.createdAtMs),
    updatedAt: instantText(record.updatedAtMs),
    createdBy: { source: record.createdBy.source, sourceId: record.createdBy.sourceId },
    associations: links,
    ...(record.mergedInto !== null && { mergedInto: record.mergedInto }),
    ...(record.erased && { erased: true }),
  };
}

/** `GET …/calls?since=n`: calls with a number above `n`, oldest first. */
export function showCalls(portal: Portal, call: ControlCall): Answer {
  const since = Number(call.query.get('since') ?? 0);
  if (!Number.isInteger(since) || since < 0) {
    return controlError(400, 'invalid-input', 'since is the number of a call.');
  }
  return { status: 200, body: { calls: portal.calls.since(since) } };
}

/** `GET …/counts`: calls by kind since the beginning, live records by type. */
export function showCounts(portal: Portal): Answer {
  const records = portal.types
    .map((type) => [type.name, portal.records.countLive(type)] as const)
    .filter(([, count]) => count > 0);
  return {
    status: 200,
    body: { calls: portal.calls.counts(), records: Object.fromEntries(records) },
  };
}
