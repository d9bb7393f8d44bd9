import { z } from 'zod';

/** Changes in one request at most; a client with more sends several requests. */
export const changesMax = 100;

const id = z.string().min(1).max(256);
const fields = z.record(
  z.string().min(1).max(128),
  z.union([z.string(), z.number(), z.boolean(), z.null()]),
);
const company = z.strictObject({
  domain: z.string().min(1).max(512),
  name: z.string().max(1_024).optional(),
});

const attendee = z.strictObject({
  recordId: id.optional(),
  email: z.string().min(1).max(512),
  firstName: z.string().max(1_024).optional(),
  lastName: z.string().max(1_024).optional(),
  phone: z.string().max(128).optional(),
  company: company.optional(),
});

/** One change of one record of the app. The same `id` with the same content is the same change. */
export const appChange = z.strictObject({
  id,
  type: z.string().min(1).max(64),
  recordId: id,
  action: z.enum(['create', 'update', 'delete']).default('update'),
  shape: z.enum(['snapshot', 'delta']).default('delta'),
  revision: z.int().min(0).optional(),
  occurredAt: z.iso.datetime({ offset: true }),
  fields: fields.default({}),
  company: company.optional(),
  attendees: z.array(attendee).max(500).optional(),
});

export const appChanges = z.strictObject({ changes: z.array(appChange).min(1).max(changesMax) });

export type AppChange = z.infer<typeof appChange>;
export type Attendee = z.infer<typeof attendee>;
export type Company = z.infer<typeof company>;
