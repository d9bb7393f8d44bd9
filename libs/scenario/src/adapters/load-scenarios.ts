import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseScenario } from '../format/parse-scenario.js';
import type { ScenarioFault } from '../format/parse-scenario.js';
import type { Scenario } from '../format/scenario.js';

export interface LoadedScenario {
  readonly file: string;
  readonly scenario: Scenario;
}

export interface LoadFault {
  readonly file: string;
  readonly fault: ScenarioFault;
}

/** Reads files and, recursively, folders of `*.yaml`; every fault of every file at once. */
export function loadScenarios(paths: readonly string[]): {
  readonly loaded: readonly LoadedScenario[];
  readonly faults: readonly LoadFault[];
} {
  const loaded: LoadedScenario[] = [];
  const faults: LoadFault[] = [];
  for (const path of paths.filter((one) => !existsSync(one))) {
    const place = { line: 1, column: 1, path: '' };
    faults.push({ file: path, fault: { ...place, message: 'there is no such file or folder' } });
  }
  for (const file of paths.filter((one) => existsSync(one)).flatMap(filesAt)) {
    const parsed = parseScenario(readFileSync(file, 'utf8'));
    if (parsed.ok) loaded.push({ file, scenario: parsed.scenario });
    else faults.push(...parsed.faults.map((fault) => ({ file, fault })));
  }
  return { loaded, faults };
}

function filesAt(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => join(path, name));
}

/** `scenarios/a.yaml:7:5: steps[2].push: …`, as editors and terminals link it. */
export const faultLine = ({ file, fault }: LoadFault): string =>
  `${file}:${fault.line}:${fault.column}: ${fault.path === '' ? '' : `${fault.path}: `}${fault.message}`;
