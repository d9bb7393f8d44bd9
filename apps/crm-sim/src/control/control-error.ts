import type { z } from 'zod';
import type { Answer } from '../answers/answer.js';

/** One thing wrong with a control call. */
export interface ControlDetail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** `{error:{code, message, details}}`, the form of every refusal of the control API. */
export const controlError = (
  status: number,
  code: string,
  message: string,
  details: readonly ControlDetail[] = [],
): Answer => ({ status, body: { error: { code, message, details } } });

/** The body read by a schema, or 400 with every fault at once. */
export function readInput<T extends z.ZodType>(
  schema: T,
  input: unknown,
  then: (value: z.output<T>) => Answer,
): Answer {
  const parsed = schema.safeParse(input);
  if (parsed.success) return then(parsed.data);
  const details = parsed.error.issues.map((issue) => ({
    path: issue.path.join('.'),
    code: issue.code,
    message: issue.message,
  }));
  return controlError(400, 'invalid-input', 'The body is not what this call reads.', details);
}
