#!/usr/bin/env node
/**
 * Prints how large things are: source files and functions, with the worst of each. Limits are
 * those of CONTRIBUTING; `--strict` fails when a file or function is past the last of them.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const limits = {
  file: { aim: 80, look: 200, split: 400 },
  function: { aim: 12, look: 40, split: 70 },
};

const files = execFileSync('git', ['ls-files', 'apps/**/*.ts', 'libs/**/*.ts'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path && !/\.spec\.ts$|\/generated\/|\/testing\//.test(path));

const functionsOf = (path, source) => {
  const found = [];
  const visit = (node) => {
    const named = ts.isFunctionLike(node) && node.body;
    if (named) {
      const from = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
      const to = source.getLineAndCharacterOfPosition(node.end).line;
      found.push({ place: `${path}:${from + 1}`, lines: to - from + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

const measured = { file: [], function: [] };
for (const path of files) {
  const text = readFileSync(path, 'utf8');
  measured.file.push({ place: path, lines: text.split('\n').length - 1 });
  measured.function.push(
    ...functionsOf(path, ts.createSourceFile(path, text, ts.ScriptTarget.Latest)),
  );
}

let worst = 0;
for (const [kind, items] of Object.entries(measured)) {
  const sorted = items.sort((a, b) => b.lines - a.lines);
  const median = sorted[Math.floor(sorted.length / 2)]?.lines ?? 0;
  const { aim, look, split } = limits[kind];
  const past = (limit) => sorted.filter(({ lines }) => lines > limit).length;
  console.log(
    `${kind}s: ${sorted.length}, median ${median} lines (aim ${aim}), ${past(look)} above ${look}, ${past(split)} above ${split}`,
  );
  for (const { place, lines } of sorted.slice(0, 5))
    console.log(`  ${String(lines).padStart(4)}  ${place}`);
  worst += past(split);
}
process.exitCode = process.argv.includes('--strict') && worst > 0 ? 1 : 0;
