import { z } from 'zod';
import { callKinds } from '../calls/call-log.js';

const count = z.number().int().min(1);

/** What a fault does to the call it strikes. */
export const faultSchema = z.strictObject({
  type: z.enum([
    'commit-no-answer',
    'reset-before',
    'reset-after',
    'cut-answer',
    'hold-answer',
    'delay',
    'status',
    'html-500',
  ]),
  /** For `status`. */
  status: z.number().int().min(200).max(599).optional(),
  /** For `status`: sent as it is when text, as JSON otherwise. */
  body: z.unknown().optional(),
  /** For any answer: the header's value, seconds or a date or nonsense. */
  retryAfter: z.union([z.string(), z.number()]).optional(),
  /** For `delay`. */
  delayMs: z.number().int().min(0).max(600_000).optional(),
  /** For `status`, `html-500` and `delay`: the CRM changes first. */
  afterCommit: z.boolean().default(false),
  category: z.string().optional(),
  policyName: z.string().optional(),
});
export type Fault = z.infer<typeof faultSchema>;

/** A text that compiles as a regular expression. */
const pattern = z.string().refine((text) => {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}, 'not a regular expression');

export const faultRuleSchema = z
  .strictObject({
    match: z
      .strictObject({
        method: z.string().optional(),
        path: pattern.optional(),
        kind: z.enum([...callKinds, 'any']).optional(),
        /** The body of the call contains this text. */
        contains: z.string().min(1).optional(),
      })
      .default({}),
    /** Every n-th matching call, counted after `offset`. */
    every: count.optional(),
    /** Only the n-th matching call, counted after `offset`. */
    nth: count.optional(),
    /** So many matching calls pass unharmed first. */
    offset: z.number().int().min(0).default(0),
    /** Strikes at most so often. */
    times: count.optional(),
    /** Strikes no more once so long has passed since it struck first. */
    forMs: z.number().int().min(1).max(86_400_000).optional(),
    /** Strikes a matching call with this probability, drawn from the portal's seed. */
    fraction: z.number().min(0).max(1).optional(),
    fault: faultSchema,
  })
  .refine((rule) => rule.every === undefined || rule.nth === undefined, {
    message: 'every and nth exclude each other',
    path: ['nth'],
  })
  .refine((rule) => rule.fault.type !== 'status' || rule.fault.status !== undefined, {
    message: 'a status fault needs a status',
    path: ['fault', 'status'],
  })
  .refine((rule) => rule.fault.type !== 'delay' || rule.fault.delayMs !== undefined, {
    message: 'a delay fault needs delayMs',
    path: ['fault', 'delayMs'],
  });
export type FaultRule = z.infer<typeof faultRuleSchema>;
