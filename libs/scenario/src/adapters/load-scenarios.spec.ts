import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultLine, loadScenarios } from './load-scenarios.js';
import { readPlan } from './read-plan.js';

const root = join(__dirname, '..', '..', '..', '..');
const scenarios = join(root, 'scenarios');
const { loaded, faults } = loadScenarios([scenarios]);

test('every scenario of the project is well formed', () => {
  expect(faults.map(faultLine)).toEqual([]);
  expect(loaded.length).toBeGreaterThanOrEqual(50);
});

test('every scenario says what it is about in a sentence of its own', () => {
  expect(new Set(loaded.map(({ scenario }) => scenario.name)).size).toBe(loaded.length);
});

test.each(loaded.map(({ file, scenario }) => [file.slice(root.length + 1), scenario]))(
  '%s: its plan exists and its editor finds the schema',
  (file, scenario) => {
    expect(() => readPlan(scenario.given?.plan, join(root, file))).not.toThrow();
    const link = /^# yaml-language-server: \$schema=(\S+)/.exec(
      readFileSync(join(root, file), 'utf8'),
    );
    expect(existsSync(join(root, file, '..', link?.[1] ?? 'none'))).toBe(true);
  },
);

test('acts 0 and 1 of the demo meet the same storm and the same faults', () => {
  const act = (name: string) => loaded.find(({ file }) => file.endsWith(name))?.scenario;
  const [before, after] = [act('0-before.yaml'), act('1-meeting-storm.yaml')];
  expect(before?.steps).toEqual(after?.steps);
  expect(before?.given?.crm).toEqual({ uniqueProperties: 'allowed', ...after?.given?.crm });
});

test('a path that leads nowhere is a fault like any other', () => {
  const { faults: found } = loadScenarios([join(root, 'nowhere')]);
  expect(found.map(({ fault }) => fault.message)).toEqual(['there is no such file or folder']);
});

test('a fault is printed as editors and terminals link it', () => {
  const fault = { line: 7, column: 5, path: 'steps[2].push', message: 'no' };
  expect(faultLine({ file: 'a.yaml', fault })).toBe('a.yaml:7:5: steps[2].push: no');
});
