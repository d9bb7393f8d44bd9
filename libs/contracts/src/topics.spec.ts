import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { generateTypes } from './codegen/generate-types.js';
import { readSchemaFile, schemaOf } from './schema-files.js';
import { allTopicNames, isTopicName, subjectOf, topics } from './topics.js';
import { typesAgree } from './type-agreement.js';

test('the generated types are those of the schemas as they are now', () => {
  const file = join(__dirname, 'generated/messages.ts');
  expect(readFileSync(file, 'utf8')).toBe(generateTypes(allTopicNames.map(schemaOf)));
});

test('every topic has a schema file of its own, every file a topic', () => {
  const files = Object.values(topics).map(({ schema }) => schema.file);
  expect([...files].sort()).toEqual(readdirSync(join(__dirname, '../schemas')).sort());
  expect(Object.keys(typesAgree).sort()).toEqual([...allTopicNames].sort());
  for (const { schema } of Object.values(topics)) {
    const { namespace, name } = readSchemaFile(schema.file) as Record<string, unknown>;
    expect(`${String(namespace)}.${String(name)}`).toBe(schema.name);
  }
});

test('an enum has a default and a nullable field begins with null, so that both can evolve', () => {
  const enums: unknown[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      if (node.includes('null')) expect(node[0]).toBe('null');
      node.forEach(visit);
    } else if (typeof node === 'object' && node !== null) {
      if ('symbols' in node) enums.push('default' in node ? node.default : undefined);
      Object.values(node).forEach(visit);
    }
  };
  allTopicNames.map(schemaOf).forEach(visit);
  expect(enums.length).toBeGreaterThan(10);
  expect(enums).not.toContain(undefined);
});

test('names', () => {
  expect(isTopicName('counterpart.mappings.v1')).toBe(true);
  expect(isTopicName('__proto__')).toBe(false);
  expect(subjectOf('counterpart.mappings.v1')).toBe('counterpart.mappings.v1-value');
});
