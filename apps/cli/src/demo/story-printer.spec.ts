import type { ScenarioResult } from '@counterpart/scenario';
import { actsOf, reportOf } from './acts.js';
import { StoryPrinter } from './story-printer.js';

const loaded = (file: string, name: string) => ({ file, scenario: { name, steps: [], then: [] } });
const row = { name: 'contacts', expected: '1', measured: '1', ok: true };
const result = (file: string, rows: ScenarioResult['rows'] = [row]): ScenarioResult => ({
  name: file,
  file,
  ok: rows.every(({ ok }) => ok),
  tookMs: 1234,
  rows,
});
const acts = actsOf([loaded('demo/1-storm.yaml', 'Storm'), loaded('demo/0-before.yaml', 'Before')]);

test('the story is told in its own order, however the acts end', () => {
  const lines: string[] = [];
  const printer = new StoryPrinter(acts, (line) => lines.push(line));
  const [before, storm] = acts;
  if (!before || !storm) throw new Error('two acts');
  printer.line(storm, 'pushes');
  printer.line(before, 'searches');
  printer.done(storm, result('demo/1-storm.yaml'));
  printer.line(before, 'creates');
  printer.done(before, result('demo/0-before.yaml'));
  expect(lines).toEqual([
    'Act 0: Before',
    '   searches',
    '   creates',
    '   ok: 1 of 1 checks, 1.2 s',
    'Act 1: Storm',
    '   pushes',
    '   ok: 1 of 1 checks, 1.2 s',
  ]);
});

test('the report has every act, and is not ok when one is missing or wrong', () => {
  const results = acts.map(({ loaded: { file } }) => result(file));
  expect(reportOf(acts, results, 7)).toEqual({
    ok: true,
    seed: 7,
    acts: [
      { name: '0. Before', checks: [row] },
      { name: '1. Storm', checks: [row] },
    ],
  });
  expect(reportOf(acts, results.slice(1), 7).ok).toBe(false);
  expect(
    reportOf(acts, [result('demo/0-before.yaml', [{ ...row, ok: false }]), ...results.slice(1)], 7)
      .ok,
  ).toBe(false);
});
