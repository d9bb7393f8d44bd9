import type { Answer } from '../answers/answer.js';
import { behaviourPatch } from '../behaviour/behaviour.js';
import { faultRuleSchema } from '../faults/fault-rule.js';
import { playHuman } from '../human/human-route.js';
import type { Portal } from '../portals/portal.js';
import type { PortalRegistry } from '../portals/portal-registry.js';
import { portalSpecSchema } from '../portals/portal-spec.js';
import type { ControlCall } from './control-endpoint.js';
import { controlError, readInput } from './control-error.js';
import { showCalls, showCounts, showRecords } from './inspect-routes.js';
import { showWebhooks, steerWebhooks } from './webhook-routes.js';

/** `POST /_sim/portals` → 201 `{portalId}`; 409 when the id or the token is taken. */
export const createPortal = (portals: PortalRegistry, body: unknown): Answer =>
  readInput(portalSpecSchema, body, (spec) => {
    const added = portals.add(spec);
    return 'portal' in added
      ? { status: 201, body: { portalId: added.portal.spec.portalId } }
      : controlError(409, 'taken', `Another portal has this ${added.taken}.`);
  });

/** `GET /_sim/portals` → the ids there are. */
export const listPortals = (portals: PortalRegistry): Answer => ({
  status: 200,
  body: { portals: portals.list().map((portal) => ({ portalId: portal.spec.portalId })) },
});

/** `GET` shows the behaviour, `PATCH` replaces the parts given; both answer with the whole. */
export function patchPortalBehaviour(portal: Portal, call: ControlCall): Answer {
  if (call.method === 'GET') return { status: 200, body: portal.behaviour };
  if (call.method !== 'PATCH')
    return controlError(405, 'wrong-method', 'behaviour takes GET and PATCH.');
  return readInput(behaviourPatch, call.body, (patch) => ({
    status: 200,
    body: portal.changeBehaviour(patch),
  }));
}

type PortalRoute = (portal: Portal, call: ControlCall) => Answer;

const addFault: PortalRoute = (portal, call) =>
  readInput(faultRuleSchema, call.body, (rule) => ({
    status: 201,
    body: { faultId: portal.faults.add(rule) },
  }));

const listFaults: PortalRoute = (portal) => ({
  status: 200,
  body: {
    faults: portal.faults.list().map(({ faultId, rule, seen, hits, holding }) => ({
      faultId,
      ...rule,
      seen,
      hits,
      holding,
    })),
  },
});

const removeFaults: PortalRoute = (portal, call) => {
  const removed = portal.faults.remove(call.rest[1]);
  return call.rest[1] !== undefined && removed === 0
    ? controlError(404, 'unknown-fault', `There is no fault ${call.rest[1]}.`)
    : { status: 200, body: { removed } };
};

const releaseAnswers: PortalRoute = (portal) => ({
  status: 200,
  body: { released: portal.faults.release() },
});

/** Everything below `/_sim/portals/:id/`, by method and first word. */
export const portalRoutes: ReadonlyMap<string, PortalRoute> = new Map([
  ['POST faults', addFault],
  ['GET faults', listFaults],
  ['DELETE faults', removeFaults],
  ['POST release', releaseAnswers],
  ['POST human', playHuman],
  ['POST webhooks', steerWebhooks],
  ['GET webhooks', showWebhooks],
  ['GET records', showRecords],
  ['GET calls', showCalls],
  ['GET counts', showCounts],
]);
