import type { IncomingMessage } from 'node:http';
import type { Answer } from '../answers/answer.js';
import type { Portal } from '../portals/portal.js';
import type { PortalRegistry } from '../portals/portal-registry.js';
import { parseJson, readBody } from '../server/read-body.js';
import type { Wire } from '../server/wire.js';
import { controlError } from './control-error.js';
import { createPortal, listPortals, patchPortalBehaviour, portalRoutes } from './portal-routes.js';

const BODY_MAX_BYTES = 10 * 1024 * 1024;

/** One call of the control API. */
export interface ControlCall {
  readonly method: string;
  /** Path parts after the portal id. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** Serves `/_sim/…`: makes portals, changes their mood, plays the human and shows what happened. */
export async function serveControl(
  portals: PortalRegistry,
  request: IncomingMessage,
  url: URL,
  wire: Wire,
): Promise<void> {
  const raw = await readBody(request, BODY_MAX_BYTES);
  if (raw === null) {
    wire.send({
      ...controlError(413, 'body-too-large', `More than ${BODY_MAX_BYTES} bytes.`),
      headers: { Connection: 'close' },
    });
    return;
  }
  const parsed = raw === '' ? { value: undefined } : parseJson(raw);
  if ('problem' in parsed) return wire.send(controlError(400, 'malformed-json', parsed.problem));
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const call = { method: request.method ?? 'GET', query: url.searchParams, body: parsed.value };
  wire.send(dispatch(portals, parts, call));
}

function dispatch(
  portals: PortalRegistry,
  parts: readonly string[],
  call: Omit<ControlCall, 'rest'>,
): Answer {
  const [, collection, id, ...rest] = parts;
  if (collection !== 'portals') return noSuchCall();
  if (id === undefined) {
    if (call.method === 'POST') return createPortal(portals, call.body);
    return call.method === 'GET' ? listPortals(portals) : noSuchCall();
  }
  const portal = portals.find(Number(id));
  if (!portal) return controlError(404, 'unknown-portal', `There is no portal ${id}.`);
  if (rest.length === 0 && call.method === 'DELETE') {
    portals.remove(portal.spec.portalId);
    return { status: 204 };
  }
  return portalCall(portal, { ...call, rest });
}

function portalCall(portal: Portal, call: ControlCall): Answer {
  if (call.rest[0] === 'behaviour') return patchPortalBehaviour(portal, call);
  const handle = portalRoutes.get(`${call.method} ${call.rest[0] ?? ''}`);
  return handle ? handle(portal, call) : noSuchCall();
}

const noSuchCall = (): Answer =>
  controlError(404, 'unknown-call', 'The control API has no such call.');
