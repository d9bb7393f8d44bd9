import { z } from 'zod';

const id = z.union([z.string(), z.number()]).transform(String);
const where = z.record(z.string(), z.string());
const target = { id: id.optional(), where: where.optional() };

/** Something a person does in the CRM's own pages. */
export const humanActionSchema = z.strictObject({
  action: z.enum([
    'create',
    'update',
    'delete',
    'restore',
    'merge',
    'associate',
    'disassociate',
    'privacy-delete',
  ]),
  type: z.string(),
  ...target,
  properties: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .optional(),
  /** The record that takes the other in (merge), or the other end of a link. */
  intoId: id.optional(),
  intoWhere: where.optional(),
  /** For links: the type of the other end. */
  intoType: z.string().optional(),
  /** For links: a type other than the default one. */
  associationTypeId: z.number().int().optional(),
  changeSource: z.string().default('CRM_UI'),
  userId: z.number().int().default(1_001),
  /** Overrides `userId:<n>` in the history and the webhooks. */
  sourceId: z.string().optional(),
  /** Creates a company although another has its domain; the CRM's pages would not. */
  force: z.boolean().default(false),
});
export type HumanAction = z.infer<typeof humanActionSchema>;
