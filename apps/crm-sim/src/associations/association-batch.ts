import type { Answer } from '../answers/answer.js';
import type { Portal } from '../portals/portal.js';
import { batchAnswer, type ItemError } from '../objects/batch-answer.js';
import { isLive } from '../objects/record.js';
import { answerOf, inputsOf, type ApiHandler, type ApiRequest } from '../server/api-request.js';
import { isObject } from '../answers/json.js';
import {
  defaultResults,
  endsOf,
  idOf,
  labelsBetween,
  linksOf,
  pairIn,
  renderLinks,
  type Pair,
} from './association-handlers.js';
import { linkByDefault, linkRecords, unlinkRecords } from './link-records.js';

const WRITE_MAX = 2_000;
const READ_MAX = 1_000;

type Input = Record<string, unknown>;

/** `POST /crm/v4/associations/{from}/{to}/batch/associate/default`. */
export const batchDefault: ApiHandler = (portal, request) =>
  withInputs(portal, request, WRITE_MAX, (pair, inputs) => {
    const results: unknown[] = [];
    const errors: ItemError[] = [];
    for (const input of inputs) {
      const ends = endsOf(portal, pair, idOf(input['from']), idOf(input['to']));
      if (!ends.ok) errors.push({ error: ends.error });
      else {
        linkByDefault(portal, ends.value.from, ends.value.to, portal.apiOrigin());
        results.push(...defaultResults(ends.value.from, ends.value.to));
      }
    }
    return batchAnswer(portal, 200, results, errors);
  });

/** `POST …/batch/create` with the types of each link → 201 or 207. */
export const batchTyped: ApiHandler = (portal, request) =>
  withInputs(portal, request, WRITE_MAX, (pair, inputs) => {
    const results: unknown[] = [];
    const errors: ItemError[] = [];
    for (const input of inputs) {
      const ends = endsOf(portal, pair, idOf(input['from']), idOf(input['to']));
      const links = linksOf(pair, input['types']);
      if (!ends.ok) errors.push({ error: ends.error });
      else if (!links.ok) errors.push({ error: links.error });
      else {
        const { from, to } = ends.value;
        links.value.forEach((link) => linkRecords(portal, from, to, link, portal.apiOrigin()));
        results.push(labelsBetween(from, to, links.value));
      }
    }
    return batchAnswer(portal, 201, results, errors);
  });

/** `POST …/batch/read`: a record without links is an error of a 207, not an empty result. */
export const batchReadLinks: ApiHandler = (portal, request) =>
  withInputs(portal, request, READ_MAX, (pair, inputs) => {
    const results: unknown[] = [];
    const errors: ItemError[] = [];
    for (const input of inputs) {
      const id = idOf(input);
      const record = portal.records.resolve(pair.from, id);
      const links = record && isLive(record) ? renderLinks(portal, record, pair.to) : [];
      if (links.length > 0) results.push({ from: { id }, to: links });
      else errors.push(noLinks(pair, id));
    }
    return batchAnswer(portal, 200, results, errors);
  });

/** `POST …/batch/archive` `{inputs:[{from:{id}, to:[{id}]}]}` → 204. */
export const batchArchiveLinks: ApiHandler = (portal, request) =>
  withInputs(portal, request, WRITE_MAX, (pair, inputs) => {
    for (const input of inputs) {
      const targets = Array.isArray(input['to']) ? input['to'] : [];
      targets.forEach((target) => unlink(portal, pair, input, target, 'all'));
    }
    return { status: 204 };
  });

/** `POST …/batch/labels/archive`: only the kinds of link that are named → 204. */
export const batchArchiveLabels: ApiHandler = (portal, request) =>
  withInputs(portal, request, WRITE_MAX, (pair, inputs) => {
    for (const input of inputs) {
      const types = Array.isArray(input['types']) ? input['types'].filter(isObject) : [];
      unlink(
        portal,
        pair,
        input,
        input['to'],
        types.map((type) => Number(type['associationTypeId'])),
      );
    }
    return { status: 204 };
  });

function unlink(
  portal: Portal,
  pair: Pair,
  input: Input,
  target: unknown,
  types: readonly number[] | 'all',
): void {
  const ends = endsOf(portal, pair, idOf(input['from']), idOf(target));
  if (ends.ok) unlinkRecords(portal, ends.value.from, ends.value.to, types, portal.apiOrigin());
}

const withInputs = (
  portal: Portal,
  request: ApiRequest,
  max: number,
  then: (pair: Pair, inputs: readonly Input[]) => Answer,
): Answer =>
  answerOf(pairIn(portal, request), (pair) =>
    answerOf(inputsOf(request, max), (inputs) => then(pair, inputs)),
  );

const noLinks = (pair: Pair, id: string): ItemError => ({
  error: {
    status: 404,
    category: 'OBJECT_NOT_FOUND',
    subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND',
    message: `No ${pair.to.singular} is associated with ${pair.from.singular} ${id}.`,
    context: {
      fromObjectId: [id],
      fromObjectType: [pair.from.singular],
      toObjectType: [pair.to.singular],
    },
  },
});
