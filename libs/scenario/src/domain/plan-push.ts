import type { Json, JsonObject } from '../format/json.js';
import type { AppChange, PushStep } from '../format/steps.js';
import { fill } from './placeholders.js';
import type { PlaceholderValues } from './placeholders.js';
import { shuffled } from './seeded-random.js';
import type { Dice } from './seeded-random.js';

/** One HTTP request of a push. Requests with one `deliveryId` are the same delivery, sent again. */
export interface PlannedRequest {
  readonly deliveryId: string;
  /** Not sent before this moment of the push. */
  readonly atMs: number;
  readonly body: string;
  readonly changes: readonly JsonObject[];
}

/**
 * All requests of a push step, in the order they are sent. Deliveries of the same bytes stand side
 * by side, so that with several clients they arrive at the same time: the hardest case.
 */
export function planPush(
  step: PushStep,
  values: PlaceholderValues,
  nextId: () => number,
  dice: Dice,
): readonly PlannedRequest[] {
  const bodies = bodiesOf(step, values, nextId, dice);
  const sent = bodies.flatMap((body) => Array.from({ length: step.deliveries ?? 1 }, () => body));
  const gapMs = (step.withinMs ?? 0) / Math.max(sent.length, 1);
  return sent.map((body, index) => ({ ...body, atMs: Math.floor(index * gapMs) }));
}

type Body = Omit<PlannedRequest, 'atMs'>;

function bodiesOf(
  step: PushStep,
  values: PlaceholderValues,
  nextId: () => number,
  dice: Dice,
): readonly Body[] {
  const newDelivery = (): string => `msg_${values.run}_${nextId()}`;
  if (step.body !== undefined)
    return [
      { deliveryId: newDelivery(), body: padded(fill(step.body, values), step), changes: [] },
    ];
  const changes = inOrder(repeated(step, values, nextId), step, dice);
  return chunks(changes, step.batch ?? 1).map((part) => ({
    deliveryId: newDelivery(),
    body: padded(JSON.stringify({ changes: part }), step),
    changes: part,
  }));
}

function repeated(
  step: PushStep,
  values: PlaceholderValues,
  nextId: () => number,
): readonly JsonObject[] {
  const rounds = Array.from({ length: step.repeat ?? 1 }, (_, index) => index + 1);
  return rounds.flatMap((n) =>
    (step.changes ?? []).map((change) => {
      const filled = fill(withoutHoles(change), { ...values, n });
      const id = `evt-${values.run}-${nextId()}`;
      const occurredAt = new Date(values.nowMs ?? 0).toISOString();
      return { id, occurredAt, ...filled, ...revisionOf(filled) };
    }),
  );
}

/** A revision written with a placeholder comes as text; the API wants a number. */
function revisionOf(change: JsonObject): JsonObject {
  const revision = change['revision'];
  return typeof revision === 'string' ? { revision: Number(revision) } : {};
}

function withoutHoles(change: AppChange): JsonObject {
  const plain: Record<string, Json> = {};
  for (const [key, value] of Object.entries(change)) if (value !== undefined) plain[key] = value;
  return plain;
}

function inOrder(
  changes: readonly JsonObject[],
  step: PushStep,
  dice: Dice,
): readonly JsonObject[] {
  const order = step.order ?? 'as-written';
  switch (order) {
    case 'as-written':
      return changes;
    case 'reversed':
      return changes.toReversed();
    case 'shuffled':
      return shuffled(changes, dice);
    default:
      return order satisfies never;
  }
}

function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const parts: T[][] = [];
  for (let from = 0; from < items.length; from += size) parts.push(items.slice(from, from + size));
  return parts;
}

function padded(body: string, step: PushStep): string {
  if (step.padToBytes === undefined) return body;
  return body + ' '.repeat(Math.max(0, step.padToBytes - Buffer.byteLength(body)));
}
