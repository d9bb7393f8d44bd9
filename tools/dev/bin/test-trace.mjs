#!/usr/bin/env node
/**
 * One change, one trace: starts a stack with a real Jaeger, pushes one change through all services
 * to the CRM, and reads its trace back from Jaeger's query API.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { REPO_ROOT } from '../lib/stack-paths.mjs';
import { missingStations, spansOf, traceText } from '../lib/trace-check.mjs';

const STACK = 'trace';
const DEADLINE_MS = 30_000;

const run = (...args) =>
  spawnSync(process.execPath, args, { cwd: REPO_ROOT, stdio: 'inherit' }).status === 0;
const bin = (name) => join('tools', 'dev', 'bin', name);

/** The newest trace that ingest began with a pushed change and that has reached the CRM. */
async function findTrace(jaegerUrl) {
  const query = new URL('/api/traces', jaegerUrl);
  query.searchParams.set('service', 'ingest');
  query.searchParams.set('limit', '50');
  const { data } = await (await fetch(query)).json();
  const traces = data
    .map(spansOf)
    .filter((spans) => spans.some(({ name }) => name.startsWith('POST /v1/tenants/')));
  return traces.sort((a, b) => missingStations(a).length - missingStations(b).length)[0];
}

async function followed(jaegerUrl) {
  const untilMs = Date.now() + DEADLINE_MS;
  for (;;) {
    const spans = await findTrace(jaegerUrl);
    if ((spans && missingStations(spans).length === 0) || Date.now() > untilMs) return spans;
    await wait(250);
  }
}

async function check() {
  if (!run(bin('dev.mjs'), '--stack', STACK, '--port-offset', '4000', '--with', 'jaeger'))
    return false;
  const scenario = join('scenarios', 'trace', 'one-change.yaml');
  if (!run(join('apps', 'cli', 'dist', 'main.js'), 'scenario', 'run', scenario, '--stack', STACK))
    return false;
  const env = JSON.parse(readFileSync(join(REPO_ROOT, '.run', STACK, 'env.json'), 'utf8'));
  const spans = await followed(env.jaegerUrl);
  const missing = spans ? missingStations(spans) : ['no trace at all'];
  if (missing.length > 0) console.log(`the trace misses: ${missing.join(', ')}`);
  if (spans) console.log(traceText(spans));
  return missing.length === 0;
}

let ok = false;
try {
  ok = await check();
} finally {
  run(bin('down.mjs'), '--stack', STACK, '--data');
}
console.log(ok ? '1 passed, 0 failed' : '0 passed, 1 failed');
process.exitCode = ok ? 0 : 1;
