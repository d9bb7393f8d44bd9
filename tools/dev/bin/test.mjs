#!/usr/bin/env node
import { bringUp, bringUpServices, takeDown } from '../lib/bring-up.mjs';
import { CompileFault } from '../lib/build.mjs';
import { runMain } from '../lib/fault.mjs';
import { withCleanUp } from '../lib/interrupted.mjs';
import { requireNode } from '../lib/needs.mjs';
import { createProgress } from '../lib/progress.mjs';
import { killPieces } from '../lib/run-piece.mjs';
import { readStackOptions } from '../lib/stack-options.mjs';
import { sumCounts } from '../lib/test-counts.mjs';
import { hasScenarios, jestTests, scenarios, toolTests } from '../lib/test-pieces.mjs';

const USAGE = `npm test -- [--stack NAME] [--port-offset N]
Runs every test. A stack that runs already is used and left running; else one is started and stopped.`;

await runMain(async () => {
  requireNode(process.versions.node);
  const { request } = readStackOptions({ usage: USAGE, stack: 'test' });
  const say = createProgress();
  let isOurs = false;
  const onStart = () => (isOurs = true);
  const whole = { ...request, say, heal: true, fresh: true, onStart };
  let up = Promise.resolve();
  const work = async () => {
    up = bringUp(whole, 'provisioned');
    const { stack } = await up;
    return runPieces(whole, stack);
  };
  const cleanUp = async () => {
    killPieces();
    await up.catch(() => {});
    if (isOurs) await takeDown({ ...whole, deleteData: true });
  };
  const results = await withCleanUp(work, cleanUp).catch(asFailedBuild);
  const { passed, failed } = sumCounts(results);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
});

async function runPieces(whole, stack) {
  const { paths, say } = whole;
  const context = { paths, say, env: { ...process.env, COUNTERPART_STACK: paths.name } };
  const results = [
    await toolTests(context),
    await jestTests(context, 'unit'),
    await jestTests(context, 'int'),
  ];
  if (!hasScenarios(paths)) return results;
  await bringUpServices(whole, stack, false);
  return [...results, await scenarios(context)];
}

/** Code that does not compile is a failed test, unlike a machine that cannot run tests at all. */
function asFailedBuild(error) {
  if (!(error instanceof CompileFault)) throw error;
  process.stdout.write(`${error.message}\n`);
  return [{ passed: 0, failed: 1 }];
}
