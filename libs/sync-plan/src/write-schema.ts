import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planJsonSchema } from './json-schema.js';

/** `node libs/sync-plan/dist/write-schema.js` writes the schema for editors anew. */
writeFileSync(
  join(__dirname, '../schemas/sync-plan.schema.json'),
  `${JSON.stringify(planJsonSchema(), null, 2)}\n`,
);
