import { z } from 'zod';

/**
 * The shape of a plan as written. Everything that needs two places of the file at once (owners,
 * maps, shared endpoints) is checked in check-plan.ts. A message begins with its stable code.
 */
const coded = (code: string, sentence: string) => `${code}: ${sentence}`;

const id = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    coded('bad-name', 'use 1 to 63 lower-case letters, digits, - and _, not beginning with - or _'),
  );
const name = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_-]{0,62}$/,
    coded('bad-name', 'use 1 to 63 letters, digits, - and _, beginning with a letter'),
  );
/** A plan is stored by every service; NUL and halves of surrogate pairs no database stores. */
const text = z
  .string()
  .max(1_024)
  .regex(
    /^[^\0\ud800-\udfff]*$/u,
    coded('bad-format', 'the text has a character that cannot be stored'),
  );
/**
 * No leading dot in any part, so that a reference never leaves the secrets folder; a prefix for
 * variables, so that a plan cannot name DATABASE_URL and have it sent somewhere.
 */
const secretRef = z
  .string()
  .regex(
    /^(env:SECRET_[A-Z0-9_]{1,120}|file:[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)$/,
    coded(
      'bad-secret-ref',
      'name the secret, do not write it: env:SECRET_NAME or file:relative/path',
    ),
  );
const secrets = z
  .array(secretRef)
  .min(1, coded('missing', 'name at least one secret'))
  .max(5, coded('out-of-range', 'at most five secrets verify at once'));

const owner = z.string({
  error: (issue) =>
    Array.isArray(issue.input)
      ? coded('two-owners', 'a field has one owner: a source, last-change or review')
      : undefined,
});
const field = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text'),
    max: z.int().min(1).max(1_000_000).optional(),
    overflow: z.enum(['truncate', 'refuse']).optional(),
    owner,
  }),
  z.strictObject({ type: z.literal('email'), owner }),
  z.strictObject({
    type: z.literal('phone'),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, coded('bad-format', 'a country is two capitals: US'))
      .optional(),
    owner,
  }),
  z.strictObject({ type: z.literal('domain'), owner }),
  z.strictObject({ type: z.literal('date'), owner }),
  z.strictObject({ type: z.literal('instant'), owner }),
  z.strictObject({
    type: z.literal('picklist'),
    options: z.array(text.min(1)).min(1),
    owner,
  }),
  z.strictObject({ type: z.literal('number'), owner }),
  z.strictObject({ type: z.literal('boolean'), owner }),
]);
export type FieldDocument = z.output<typeof field>;

const record = z.strictObject({
  match: z.array(name).default([]),
  fields: z.record(name, field),
});

export const appSourceSchema = z.strictObject({
  provider: z.literal('app'),
  signing: z.strictObject({ secrets }),
  records: z.record(name, z.strictObject({})),
});
export type AppSourceDocument = z.output<typeof appSourceSchema>;

const window = z.number().positive().max(1_000_000);
const quota = z.strictObject({
  perSecond: window.optional(),
  perTenSeconds: window.default(100),
  searchPerSecond: window.default(5),
  concurrency: z.int().min(1).max(1000).default(8),
  reserve: z.number().min(0).max(0.9).default(0.1),
});
const timing = z.strictObject({
  requestDeadlineMs: z.int().min(100).max(120_000).default(10_000),
  /** 0 would say that a request is dead the moment we stop waiting, which no server promises. */
  crmLongestRunMs: z.int().min(1).max(600_000).default(20_000),
  indexLagMs: z.int().min(0).max(600_000).default(30_000),
});

export const crmSourceSchema = z.strictObject({
  provider: z.string(),
  baseUrl: text,
  allowPrivateAddress: z.boolean().default(false),
  credentials: z.strictObject({ accessToken: secretRef }),
  settings: z.record(text, z.union([text, z.number(), z.boolean()])).default({}),
  webhook: z.strictObject({ endpoint: id, secrets }).optional(),
  quota: quota.prefault({}),
  timing: timing.prefault({}),
  records: z.record(
    name,
    z.strictObject({ object: text.min(1), fields: z.record(name, text.min(1)) }),
  ),
});
export type CrmSourceDocument = z.output<typeof crmSourceSchema>;

const head = {
  apiVersion: z.literal('counterpart/v1'),
  tenant: id,
  records: z.record(name, record),
};
/** Sources are read one by one, each by the schema of its provider, for messages that fit. */
export const planSchema = z.strictObject({
  ...head,
  sources: z.record(id, z.looseObject({ provider: z.string() })),
});
/** The same for editors, who want it in one piece. */
export const editorSchema = z.strictObject({
  ...head,
  sources: z.record(id, z.union([appSourceSchema, crmSourceSchema])),
});
export type PlanDocument = z.output<typeof editorSchema>;
