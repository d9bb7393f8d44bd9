import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { isObject, laidOver } from '../domain/placeholders.js';
import type { Json, JsonObject } from '../format/json.js';
import type { PlanChoice } from '../format/scenario.js';

const templatesDir = join(__dirname, '..', '..', 'templates');

/**
 * The plan a scenario chose, placeholders still in place. A name is a template of this package; a
 * name with a slash or a dot is a file beside the scenario. Throws when there is no such file.
 */
export function readPlan(
  choice: string | PlanChoice | undefined,
  scenarioFile: string,
): JsonObject {
  const {
    template = 'standard',
    change = {},
    inline,
  } = typeof choice === 'object' ? choice : { template: choice ?? 'standard' };
  const base = inline ?? readTemplate(template, scenarioFile);
  return laidOver(base, change);
}

function readTemplate(template: string, scenarioFile: string): JsonObject {
  const beside = /[./]/.test(template);
  const file = beside
    ? resolve(dirname(scenarioFile), template)
    : join(templatesDir, `${template}.yaml`);
  const data: Json = parse(readFileSync(file, 'utf8'));
  if (!isObject(data)) throw new Error(`${file} is not a plan`);
  return data;
}
