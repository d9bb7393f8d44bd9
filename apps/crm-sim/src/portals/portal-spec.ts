import { z } from 'zod';
import { behaviourPatch } from '../behaviour/behaviour.js';

const numeric = z
  .union([z.string().regex(/^\d{1,15}$/), z.number().int().min(0)])
  .transform(Number);
const typeName = z.string().regex(/^[a-z][a-z0-9_]{1,49}$/);

/** What makes a portal. */
export const portalSpecSchema = z.strictObject({
  /** Drawn when absent. */
  portalId: numeric.optional(),
  /** Finds the portal of a call; no two portals share one. */
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1).optional(),
  appId: numeric,
  /** What `sourceId` says on changes through the API; the app id when absent. */
  apiSourceId: z.string().min(1).optional(),
  clientSecret: z.string().min(1),
  webhookUrl: z.url({ protocol: /^https?$/ }).optional(),
  uniqueProperties: z.enum(['allowed', 'forbidden']).default('allowed'),
  /** Object types of the tenant's own. */
  customTypes: z.array(typeName).max(20).default([]),
  seed: z.union([z.string(), z.number()]).transform(String).default('1'),
  behaviour: behaviourPatch.default({}),
});
export type PortalSpec = z.infer<typeof portalSpecSchema> & { readonly portalId: number };
