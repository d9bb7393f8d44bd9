import { z } from 'zod';
import type { Answer } from '../answers/answer.js';
import type { Portal } from '../portals/portal.js';
import type { ControlCall } from './control-endpoint.js';
import { readInput } from './control-error.js';

const steering = z.strictObject({
  action: z.enum(['release', 'double-shuffle-release', 'drop-held', 'redeliver-all']),
  shuffleSeed: z.union([z.string(), z.number()]).transform(String).default('1'),
  /** Only the events for which all of these are equal. */
  match: z
    .strictObject({
      subscriptionType: z.string().optional(),
      changeSource: z.string().optional(),
      propertyName: z.string().optional(),
      objectId: z.coerce.number().optional(),
    })
    .default({}),
});

/** `POST …/webhooks` → how many events it concerned, and the figures after it. */
export function steerWebhooks(portal: Portal, call: ControlCall): Answer {
  return readInput(steering, call.body, ({ action, match, shuffleSeed }) => {
    const { webhooks } = portal;
    const filter = Object.fromEntries(
      Object.entries(match).filter(([, value]) => value !== undefined),
    );
    const act = {
      release: () => webhooks.release(filter),
      'double-shuffle-release': () => webhooks.doubleShuffleRelease(filter, shuffleSeed),
      'drop-held': () => webhooks.dropHeld(filter),
      'redeliver-all': () => webhooks.redeliverAll(filter),
    }[action];
    return { status: 200, body: { events: act(), ...webhooks.stats() } };
  });
}

/** `GET …/webhooks` → figures, all in events except `attempts` (requests); `?events=true` adds the held ones. */
export function showWebhooks(portal: Portal, call: ControlCall): Answer {
  const held =
    call.query.get('events') === 'true' ? { heldEvents: portal.webhooks.heldEvents() } : {};
  return { status: 200, body: { ...portal.webhooks.stats(), ...held } };
}
