import { z } from 'zod';
import { editorSchema } from './plan-schema.js';

/** JSON schema of a plan file, for editors: completion and most faults while typing. */
export function planJsonSchema(): unknown {
  return {
    title: 'Counterpart sync plan',
    ...z.toJSONSchema(editorSchema, { target: 'draft-2020-12', io: 'input' }),
  };
}
