import { z } from 'zod';

/** Changes in one request at most; a client with more sends several requests. */
export const changesMax = 100;

/**
 * Ids become parts of keys and are stored as they are: no control character, no half of a surrogate
 * pair, and no longer than an index takes.
 */
const idBytesMax = 512;
const id = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[^\0-\x1f\x7f\ud800-\udfff]*$/u, 'An id has a character that cannot be stored.')
  .refine((text) => utf8Bytes(text) <= idBytesMax, `An id has at most ${idBytesMax} bytes.`);

const utf8Bytes = (text: string): number =>
  [...text].reduce((bytes, char) => {
    const code = char.codePointAt(0) ?? 0;
    return bytes + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
  }, 0);
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

export type AppChanges = z.infer<typeof appChanges>;
export type AppChange = z.infer<typeof appChange>;
export type Attendee = z.infer<typeof attendee>;
export type Company = z.infer<typeof company>;
