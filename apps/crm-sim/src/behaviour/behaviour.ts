import { z } from 'zod';

const ms = z.number().int().min(0).max(86_400_000);
const span = z
  .tuple([ms, ms])
  .refine(([min, max]) => min <= max, 'the first must not exceed the second');
const limit = z.number().int().min(0).nullable();

/** Named ways in which a CRM rewrites what it is given. */
export const transformNames = [
  'trim',
  'upper',
  'lower',
  'title',
  'digits',
  'e164',
  'us-phone',
  'crlf',
  'html-escape',
  'nfc',
  'nfd',
] as const;
const transform = z.enum(transformNames);
const transforms = z.union([transform.transform((one) => [one]), z.array(transform).min(1)]);

/** A value an automation sets: fixed text, another property rewritten, or a new one every time. */
const automationValue = z.union([
  z.string(),
  z.strictObject({ copy: z.string(), apply: transforms.default([]) }),
  z.strictObject({ counter: z.string() }),
]);

const automation = z.strictObject({
  id: z.string().default('1'),
  when: z.enum(['create', 'update', 'write']),
  type: z.string(),
  /** Only when one of these changed; any property when absent. */
  properties: z.array(z.string()).optional(),
  /** `api`: only after a write through the API. `any`: also after humans and other automations. */
  after: z.enum(['api', 'any']).default('any'),
  set: z.record(z.string(), automationValue),
  afterMs: ms.default(0),
});
export type Automation = z.infer<typeof automation>;

const rateLimits = z.strictObject({
  perTenSeconds: limit,
  perSecond: limit,
  searchPerSecond: limit,
  perDay: limit,
});

/** How a portal behaves. Every part may be changed at any time. */
export const behaviourSchema = z.strictObject({
  /** Search shows a create, update or merge only this long after it. */
  indexLagMs: ms,
  /** How long a create takes; it commits somewhere in between. */
  createLatencyMs: span,
  /** How long every other call takes. */
  callLatencyMs: span,
  webhookDelayMs: span,
  webhooks: z.enum(['deliver', 'hold', 'drop']),
  webhookDouble: z.boolean(),
  webhookShuffle: z.boolean(),
  webhookDropFraction: z.number().min(0).max(1),
  /** The real waits between redeliveries (24 hours in all) times this. */
  webhookTimeFactor: z.number().min(0).max(1),
  /** A delivery slower than this is a failed one. */
  webhookTimeoutMs: ms,
  /** Calls allowed in each window; null for no limit. */
  rateLimit: rateLimits,
  mergeRegime: z.enum(['third-id', 'keep-primary']),
  /** A merge keeps the loser's values but not its links. */
  mergeLosesAssociations: z.boolean(),
  /** Which company is primary once there are several. */
  primaryCompany: z.enum(['first', 'latest']),
  /** A record in the recycle bin still holds its unique values. */
  archivedHoldsUnique: z.boolean(),
  /** The access token counts as expired; a refreshed one works. */
  tokenExpired: z.boolean(),
  /** Cuts a property's text to so many characters, silently. */
  truncate: z.record(z.string(), z.number().int().min(0)),
  /** Rewrites a property's value, silently. */
  reformat: z.record(z.string(), transforms),
  automations: z.array(automation),
});
export type Behaviour = z.infer<typeof behaviourSchema>;

/** What a control call may send: any part of it. */
export const behaviourPatch = behaviourSchema.extend({ rateLimit: rateLimits.partial() }).partial();
export type BehaviourPatch = z.infer<typeof behaviourPatch>;

/** A portal on its best behaviour, with HubSpot's own limits for an OAuth app. */
export const defaultBehaviour = (): Behaviour => ({
  indexLagMs: 0,
  createLatencyMs: [0, 0],
  callLatencyMs: [0, 0],
  webhookDelayMs: [0, 0],
  webhooks: 'deliver',
  webhookDouble: false,
  webhookShuffle: false,
  webhookDropFraction: 0,
  webhookTimeFactor: 0.01,
  webhookTimeoutMs: 5_000,
  rateLimit: { perTenSeconds: 110, perSecond: null, searchPerSecond: 5, perDay: null },
  mergeRegime: 'third-id',
  mergeLosesAssociations: false,
  primaryCompany: 'first',
  archivedHoldsUnique: false,
  tokenExpired: false,
  truncate: {},
  reformat: {},
  automations: [],
});

/** The behaviour with the given parts replaced. Parts not given stay, single limits included. */
export function patchBehaviour(current: Behaviour, patch: BehaviourPatch): Behaviour {
  const rateLimit = { ...current.rateLimit, ...given(patch.rateLimit ?? {}) };
  return behaviourSchema.parse({ ...current, ...given(patch), rateLimit });
}

const given = (parts: object): object =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
