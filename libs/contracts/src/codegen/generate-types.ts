import type { AvroSchema } from '../schema-files.js';

/**
 * TypeScript from Avro schemas. The generated types say what the schemas say, and nothing else;
 * `type-agreement.ts` then has the compiler compare them with the types of sync-model.
 *
 * A field's `brand` (an attribute of ours, ignored by Avro) names the branded type that stands for
 * the `string` in that field.
 */

interface Field {
  readonly name: string;
  readonly type: AvroSchema;
  readonly doc?: string;
  readonly brand?: string;
}

const lineMax = 100;
const heading = [
  '// Made from schemas/*.avsc by codegen/generate-cli.ts. Do not edit; run:',
  '//   npx tsc --build libs/contracts && node libs/contracts/dist/codegen/generate-cli.js',
];
const primitives: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'boolean',
  int: 'number',
  long: 'number',
  double: 'number',
  string: 'string',
};

const shortName = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

function attribute(schema: AvroSchema, name: string): unknown {
  if (typeof schema !== 'object' || Array.isArray(schema)) return undefined;
  return Object.entries(schema).find(([key]) => key === name)?.[1];
}

function textAttribute(schema: AvroSchema, name: string): string {
  const value = attribute(schema, name);
  if (typeof value !== 'string') throw new TypeError(`schema without ${name}`);
  return value;
}

/** An enum is spelled with hyphens in code, which an Avro symbol cannot have. */
function enumDeclaration(schema: AvroSchema): string {
  const symbols = attribute(schema, 'symbols') as readonly string[];
  const spelled = symbols.map((symbol) => `'${symbol.replaceAll('_', '-')}'`);
  const head = `export type ${textAttribute(schema, 'name')} =`;
  const oneLine = `${head} ${spelled.join(' | ')};`;
  if (oneLine.length <= lineMax) return oneLine;
  const nextLine = `  ${spelled.join(' | ')};`;
  if (nextLine.length <= lineMax) return `${head}\n${nextLine}`;
  return `${head}\n${spelled.map((value) => `  | ${value}`).join('\n')};`;
}

class TypeWriter {
  private readonly declarations = new Map<string, string>();
  private readonly brands = new Set<string>();

  /** The TypeScript name of a schema; declares what it names on the way. */
  nameOf(schema: AvroSchema, brand: string | undefined): string {
    if (typeof schema === 'string') return this.plainName(schema, brand);
    if (Array.isArray(schema)) {
      return schema.map((branch: AvroSchema) => this.nameOf(branch, brand)).join(' | ');
    }
    switch (textAttribute(schema, 'type')) {
      case 'record':
        return this.declare(schema, () => this.recordDeclaration(schema));
      case 'enum':
        return this.declare(schema, () => enumDeclaration(schema));
      case 'array':
        return `readonly ${this.nameOf(attribute(schema, 'items') as AvroSchema, brand)}[]`;
      case 'map':
        return `Readonly<Record<string, ${this.nameOf(attribute(schema, 'values') as AvroSchema, brand)}>>`;
      default:
        return this.plainName(textAttribute(schema, 'type'), brand);
    }
  }

  text(): string {
    const brands = [...this.brands].sort();
    const imports = [
      'import type {',
      ...brands.map((brand) => `  ${brand},`),
      "} from '@counterpart/sync-model';",
    ];
    const blocks = [...this.declarations.values()];
    return [...heading, ...imports, '', blocks.join('\n\n')].join('\n') + '\n';
  }

  private plainName(name: string, brand: string | undefined): string {
    const primitive = primitives[name];
    if (primitive === undefined) return shortName(name);
    if (primitive !== 'string' || brand === undefined) return primitive;
    this.brands.add(brand);
    return brand;
  }

  private declare(schema: AvroSchema, declaration: () => string): string {
    const name = textAttribute(schema, 'name');
    if (!this.declarations.has(name)) {
      this.declarations.set(name, '');
      this.declarations.set(name, declaration());
    }
    return name;
  }

  private recordDeclaration(schema: AvroSchema): string {
    const fields = attribute(schema, 'fields') as readonly Field[];
    const lines = fields.flatMap(({ name, type, doc, brand }) => [
      ...(doc === undefined ? [] : [`  /** ${doc} */`]),
      `  readonly ${name}: ${this.nameOf(type, brand)};`,
    ]);
    const doc = attribute(schema, 'doc');
    return [
      ...(typeof doc === 'string' ? [`/** ${doc} */`] : []),
      `export interface ${textAttribute(schema, 'name')} {`,
      ...lines,
      '}',
    ].join('\n');
  }
}

/** One TypeScript file for all schemas. Throws on a schema it does not understand. */
export function generateTypes(schemas: readonly AvroSchema[]): string {
  const writer = new TypeWriter();
  for (const schema of schemas) writer.nameOf(schema, undefined);
  return writer.text();
}
