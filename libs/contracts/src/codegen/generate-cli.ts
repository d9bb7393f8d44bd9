import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaOf } from '../schema-files.js';
import { allTopicNames } from '../topics.js';
import { generateTypes } from './generate-types.js';

const file = join(__dirname, '../../src/generated/messages.ts');
writeFileSync(file, generateTypes(allTopicNames.map(schemaOf)));
