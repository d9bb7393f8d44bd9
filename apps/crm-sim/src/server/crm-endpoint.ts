import type { IncomingMessage } from 'node:http';
import type { Answer } from '../answers/answer.js';
import { invalid, noSuchPath } from '../answers/errors.js';
import { isObject } from '../answers/json.js';
import type { CallKind } from '../calls/call-log.js';
import {
  badGrant,
  describeToken,
  portalOfRefreshToken,
  refreshToken,
} from '../oauth/token-handler.js';
import type { Portal } from '../portals/portal.js';
import type { PortalRegistry } from '../portals/portal-registry.js';
import { refusal } from './api-request.js';
import { parseJson, readBody } from './read-body.js';
import { findRoute } from './routes.js';
import { runCall } from './run-call.js';
import type { Wire } from './wire.js';

const BODY_MAX_BYTES = 10 * 1024 * 1024;

/** A call as it arrived, body read. */
interface Arrival {
  readonly method: string;
  readonly url: URL;
  readonly contentType: string;
  readonly rawBody: string;
}

/** Serves the CRM API: finds the portal, the endpoint and the body, then lets the call run. */
export async function serveCrm(
  portals: PortalRegistry,
  request: IncomingMessage,
  url: URL,
  wire: Wire,
): Promise<void> {
  const rawBody = await readBody(request, BODY_MAX_BYTES);
  if (rawBody === null) {
    wire.send({
      status: 413,
      body: { status: 'error', message: 'Request entity too large' },
      headers: { Connection: 'close' },
    });
    return;
  }
  const contentType = request.headers['content-type'] ?? '';
  const arrival = { method: request.method ?? 'GET', url, contentType, rawBody };
  if (url.pathname === '/oauth/v1/token') return serveToken(portals, arrival, wire);
  const found = portals.authorise(request.headers.authorization);
  if (!found.ok) return wire.send(refusal(found.error));
  const { portal, expired } = found.value;
  serveAuthorised(portal, arrival, expired && refusal(expired), wire);
}

function serveAuthorised(
  portal: Portal,
  arrival: Arrival,
  refused: Answer | null,
  wire: Wire,
): void {
  const { method, url, rawBody } = arrival;
  const path = url.pathname;
  const token = /^\/oauth\/v1\/access-tokens\/([^/]+)$/.exec(path)?.[1];
  const match = findRoute(method, path);
  const body = parseBody(arrival);
  const run = (kind: CallKind, answer: () => Answer): void => {
    const execute = refused ? () => refused : answer;
    runCall(portal, { method, path, kind, items: itemsIn(body), rawBody, execute }, wire);
  };
  if (token !== undefined) return run('token', () => describeToken(portal, token));
  if (!match.route) return run('other', () => missing(match.wrongMethod));
  const { route, params } = match;
  return run(route.kind, () =>
    'answer' in body
      ? body.answer
      : route.handle(portal, { method, path, params, query: url.searchParams, body: body.value }),
  );
}

type Body = { readonly value: unknown } | { readonly answer: Answer };

function parseBody({ rawBody, contentType, method }: Arrival): Body {
  if (rawBody === '' || method === 'GET' || method === 'DELETE') return { value: undefined };
  if (!/^application\/(.+\+)?json\b/i.test(contentType)) {
    return {
      answer: { status: 415, body: { status: 'error', message: 'Unsupported Media Type' } },
    };
  }
  const parsed = parseJson(rawBody);
  if ('value' in parsed) return parsed;
  return { answer: refusal(invalid(`Invalid input JSON: ${parsed.problem}`)) };
}

function itemsIn(body: Body): number {
  const inputs = 'value' in body && isObject(body.value) ? body.value['inputs'] : undefined;
  return Array.isArray(inputs) ? inputs.length : 1;
}

const missing = (wrongMethod: boolean): Answer =>
  wrongMethod
    ? { status: 405, body: { status: 'error', message: 'HTTP 405 Method Not Allowed' } }
    : refusal(noSuchPath());

function serveToken(portals: PortalRegistry, arrival: Arrival, wire: Wire): void {
  const form = new URLSearchParams(arrival.rawBody);
  const portal = portalOfRefreshToken(portals, form);
  if (arrival.method !== 'POST' || !portal) {
    return wire.send(badGrant('BAD_REFRESH_TOKEN', 'missing or unknown refresh token'));
  }
  const { method, rawBody, url } = arrival;
  const execute = (): Answer => refreshToken(portal, form);
  runCall(portal, { method, path: url.pathname, kind: 'token', items: 1, rawBody, execute }, wire);
}
