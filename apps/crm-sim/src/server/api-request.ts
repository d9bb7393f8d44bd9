import {
  refuse,
  ok,
  toAnswer,
  type Answer,
  type HubSpotError,
  type Result,
} from '../answers/answer.js';
import { invalid, invalidInput, noSuchPath } from '../answers/errors.js';
import { isObject } from '../answers/json.js';
import { randomUUID } from 'node:crypto';
import type { ObjectType } from '../objects/object-types.js';
import type { Portal } from '../portals/portal.js';

/** A call of the CRM API after authorisation and parsing. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export type ApiHandler = (portal: Portal, request: ApiRequest) => Answer;

/** The refusal as an answer with a fresh correlation id. */
export const refusal = (error: HubSpotError): Answer => toAnswer(error, randomUUID());

/** The answer of a result: `render` for a value, HubSpot's words for a refusal. */
export function answerOf<T>(result: Result<T>, render: (value: T) => Answer): Answer {
  return result.ok ? render(result.value) : refusal(result.error);
}

/** The object type named in the path, or 400 as the real API says it. */
export function typeIn(portal: Portal, request: ApiRequest, param = 'type'): Result<ObjectType> {
  const name = request.params[param] ?? '';
  const type = portal.type(name);
  if (type) return ok(type);
  if (name === '') return refuse(noSuchPath());
  return refuse(invalid(`Unable to infer object type from: ${name}`));
}

/** The body as an object. */
export function bodyOf(request: ApiRequest): Result<Record<string, unknown>> {
  return isObject(request.body) ? ok(request.body) : refuse(invalidInput('an object is expected'));
}

/** The `inputs` of a batch, between one and `max` objects. */
export function inputsOf(
  request: ApiRequest,
  max: number,
): Result<readonly Record<string, unknown>[]> {
  const body = bodyOf(request);
  if (!body.ok) return body;
  const { inputs } = body.value;
  if (!Array.isArray(inputs) || !inputs.every(isObject))
    return refuse(invalidInput('inputs must be an array of objects'));
  if (inputs.length === 0) return refuse(invalid('The inputs of a batch must not be empty.'));
  if (inputs.length > max) {
    return refuse(
      invalid(
        `The maximum number of inputs supported in a batch request for creates or updates is ${max}.`,
      ),
    );
  }
  return ok(inputs);
}

/** Comma lists and repeated parameters alike: `?properties=a,b&properties=c`. */
export const listParam = (query: URLSearchParams, name: string): string[] =>
  query
    .getAll(name)
    .flatMap((part) => part.split(','))
    .filter((part) => part !== '');
