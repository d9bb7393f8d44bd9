import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import { meaningFaults } from './meaning-faults.js';
import type { Scenario } from './scenario.js';
import { pathText, shapeFaults } from './shape-faults.js';
import { readYaml } from './yaml-places.js';

/** One mistake in a scenario file. Line and column count from 1. */
export interface ScenarioFault {
  readonly line: number;
  readonly column: number;
  /** `steps[2].push.clients`; empty for the whole file. */
  readonly path: string;
  readonly message: string;
}

export type ParsedScenario =
  | { readonly ok: true; readonly scenario: Scenario }
  | { readonly ok: false; readonly faults: readonly ScenarioFault[] };

/** Reads and checks one scenario file; all its faults at once, in the order of their lines. */
export function parseScenario(text: string): ParsedScenario {
  const yaml = readYaml(text);
  if (yaml.syntaxFaults.length > 0)
    return { ok: false, faults: yaml.syntaxFaults.map((fault) => ({ ...fault, path: '' })) };
  const validate = schemaCheck();
  const data = yaml.data;
  const faults = validate(data) ? meaningFaults(data) : shapeFaults(validate.errors ?? []);
  if (faults.length === 0 && validate(data)) return { ok: true, scenario: data };
  return {
    ok: false,
    faults: faults
      .map(({ path, message }) => ({ ...yaml.placeOf(path), path: pathText(path), message }))
      .sort((a, b) => a.line - b.line || a.column - b.column),
  };
}

let compiled: ValidateFunction<Scenario> | undefined;

function schemaCheck(): ValidateFunction<Scenario> {
  if (compiled) return compiled;
  const file = join(__dirname, '..', '..', 'schemas', 'scenario.schema.json');
  const schema: object = JSON.parse(readFileSync(file, 'utf8'));
  compiled = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true }).compile<Scenario>(
    schema,
  );
  return compiled;
}
