import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { planJsonSchema } from './json-schema.js';

/** After a change: `npx tsc --build libs/sync-plan && node libs/sync-plan/dist/write-schema.js`. */
test('the schema for editors is the one the code has', () => {
  const file = readFileSync(join(__dirname, '../schemas/sync-plan.schema.json'), 'utf8');
  expect(JSON.parse(file)).toEqual(planJsonSchema());
});
