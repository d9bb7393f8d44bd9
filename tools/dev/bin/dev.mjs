#!/usr/bin/env node
import { addressTable } from '../lib/addresses.mjs';
import { bringUp } from '../lib/bring-up.mjs';
import { readEnvFile } from '../lib/env-file.mjs';
import { runMain } from '../lib/fault.mjs';
import { requireNode } from '../lib/needs.mjs';
import { createProgress } from '../lib/progress.mjs';
import { readStackOptions } from '../lib/stack-options.mjs';

const USAGE = `npm run dev -- [--stack NAME] [--with jaeger] [--only-infra] [--port-offset N]
Starts infrastructure, simulated CRM and services, prints their addresses and leaves them running.`;

await runMain(async () => {
  requireNode(process.versions.node);
  const { values, request } = readStackOptions({
    usage: USAGE,
    stack: 'dev',
    options: { 'only-infra': { type: 'boolean', default: false } },
  });
  const say = createProgress();
  await bringUp({ ...request, say }, values['only-infra'] ? 'infra' : 'services');
  const { paths } = request;
  say(`stack "${paths.name}" is up; npm run down -- --stack ${paths.name} stops it`);
  process.stdout.write(`${addressTable(readEnvFile(paths))}\n`);
});
