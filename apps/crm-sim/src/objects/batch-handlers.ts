import { ok, refuse, type Answer, type HubSpotError, type Result } from '../answers/answer.js';
import { invalid, invalidInput } from '../answers/errors.js';
import { isObject, textOf, textsOf } from '../answers/json.js';
import type { Portal } from '../portals/portal.js';
import {
  answerOf,
  bodyOf,
  inputsOf,
  refusal,
  typeIn,
  type ApiHandler,
  type ApiRequest,
} from '../server/api-request.js';
import { batchAnswer, type ItemError } from './batch-answer.js';
import { findArchived, findRecord } from './find-record.js';
import { archiveRecord } from './lifecycle.js';
import type { ObjectType } from './object-types.js';
import { isLive } from './record.js';
import { renderRecord, type View } from './render-record.js';
import { createItem, updateItem, upsertItem, type ItemPlan } from './batch-items.js';

/** Inputs of one batch at most. */
const BATCH_MAX = 100;

/** `POST …/batch/create` → 201, or 207 when every input carries an `objectWriteTraceId`. */
export const batchCreate: ApiHandler = (portal, request) =>
  writeBatch(portal, request, 201, (type, inputs) =>
    ok(inputs.map((input) => createItem(portal, type, input))),
  );

/** `POST …/batch/update`. */
export const batchUpdate: ApiHandler = (portal, request) =>
  writeBatch(portal, request, 200, (type, inputs) => {
    const twice = duplicateIn(portal, type, inputs);
    return twice ? refuse(twice) : ok(inputs.map((input) => updateItem(portal, type, input)));
  });

/** `POST …/batch/upsert` by `email` or a unique property; each result says whether it is `new`. */
export const batchUpsert: ApiHandler = (portal, request) =>
  writeBatch(portal, request, 200, (type, inputs) => {
    const twice = duplicateIn(portal, type, inputs);
    return twice ? refuse(twice) : ok(inputs.map((input) => upsertItem(portal, type, input)));
  });

/** `POST …/batch/read` by id or by a unique property; what is missing is an error of a 207. */
export const batchRead: ApiHandler = (portal, request) =>
  answerOf(typeIn(portal, request), (type) =>
    answerOf(inputsOf(request, BATCH_MAX), (inputs) => readBatch(portal, type, request, inputs)),
  );

/** `POST …/batch/archive` → 204, also for what is not there. */
export const batchArchive: ApiHandler = (portal, request) =>
  answerOf(typeIn(portal, request), (type) =>
    answerOf(inputsOf(request, BATCH_MAX), (inputs) => {
      for (const input of inputs) {
        const record = portal.records.find(type, textOf(input['id']) ?? '');
        if (record && isLive(record)) archiveRecord(portal, record, portal.apiOrigin());
      }
      return { status: 204 };
    }),
  );

type Inputs = readonly Record<string, unknown>[];

/**
 * Runs a batch of writes. With a trace id on every input each one has its own verdict. Without, all
 * are tried first and the first refusal fails the whole batch before anything is written.
 */
function writeBatch(
  portal: Portal,
  request: ApiRequest,
  status: number,
  planAll: (type: ObjectType, inputs: Inputs) => Result<readonly ItemPlan[]>,
): Answer {
  return answerOf(typeIn(portal, request), (type) =>
    answerOf(inputsOf(request, BATCH_MAX), (inputs) =>
      answerOf(planAll(type, inputs), (plans) => {
        const traced = inputs.every((input) => textOf(input['objectWriteTraceId']) !== undefined);
        const firstRefusal = traced ? undefined : firstRefused(plans);
        if (firstRefusal) return refusal(firstRefusal);
        return runPlans(portal, status, inputs, plans);
      }),
    ),
  );
}

function firstRefused(plans: readonly ItemPlan[]) {
  const claimed = new Map<string, string>();
  for (const plan of plans) {
    const verdict = plan.check(claimed);
    if (!verdict.ok && verdict.error.status !== 404) return verdict.error;
  }
  return undefined;
}

function runPlans(
  portal: Portal,
  status: number,
  inputs: Inputs,
  plans: readonly ItemPlan[],
): Answer {
  const results: unknown[] = [];
  const errors: ItemError[] = [];
  plans.forEach((plan, i) => {
    const traceId = textOf(inputs[i]?.['objectWriteTraceId']);
    const written = plan.run();
    if (!written.ok) errors.push({ error: written.error, traceId });
    else
      results.push({
        ...written.value,
        ...(traceId !== undefined && { objectWriteTraceId: traceId }),
      });
  });
  return batchAnswer(portal, status, results, errors);
}

/** Two inputs for one record, under whatever ids, are refused with the whole batch. */
function duplicateIn(portal: Portal, type: ObjectType, inputs: Inputs): HubSpotError | undefined {
  const targets = inputs.map((input) => {
    const id = (textOf(input['id']) ?? '').trim().toLowerCase();
    const found = findRecord(portal, type, id, textOf(input['idProperty']) ?? null);
    return { id, key: found.ok ? `record ${found.value.id}` : `value ${id}` };
  });
  const keys = targets.map((target) => target.key);
  const twice = targets.filter((target, i) => keys.indexOf(target.key) !== i);
  if (twice.length === 0) return undefined;
  const ids = [...new Set(twice.map((target) => target.id))].join(', ');
  return invalid(`Duplicate IDs found in batch input: [${ids}]. IDs must be unique`);
}

function readBatch(portal: Portal, type: ObjectType, request: ApiRequest, inputs: Inputs): Answer {
  return answerOf(bodyOf(request), (body) => {
    const idProperty = textOf(body['idProperty']) ?? null;
    const view = readView(body);
    if (!view) return refusal(invalidInput('properties must be an array of texts'));
    const wantsArchived = request.query.get('archived') === 'true';
    const shown = new Map<string, unknown>();
    const missing: string[] = [];
    for (const input of inputs) {
      const id = (isObject(input) ? textOf(input['id']) : undefined) ?? '';
      const found = wantsArchived
        ? findArchived(portal, type, id)
        : findRecord(portal, type, id, idProperty);
      if (found.ok) shown.set(found.value.id, renderRecord(portal, found.value, view));
      else if (found.error.status === 404) missing.push(id);
      else return refusal(found.error);
    }
    return batchAnswer(
      portal,
      200,
      [...shown.values()],
      missing.length > 0 ? [absent(type, missing)] : [],
    );
  });
}

function readView(body: Record<string, unknown>): View | undefined {
  const named = textsOf(body['properties'] ?? []);
  const history = textsOf(body['propertiesWithHistory'] ?? []);
  if (!named || !history) return undefined;
  const all = [...named, ...history];
  return { properties: all.length > 0 ? all : null, history, associations: [] };
}

const absent = (type: ObjectType, ids: readonly string[]): ItemError => ({
  error: {
    status: 404,
    category: 'OBJECT_NOT_FOUND',
    message: `Could not get some ${type.singular.toUpperCase()} objects, they may be deleted or not exist. Check that ids are valid.`,
    context: { ids },
  },
});
