#!/usr/bin/env node
import { readArguments, readOffset } from '../lib/arguments.mjs';
import { runMain } from '../lib/fault.mjs';
import { startInfra } from '../lib/infra.mjs';
import { withStackLock } from '../lib/lock.mjs';
import { requireNode } from '../lib/needs.mjs';
import { offsetOfStack, portsFor } from '../lib/ports.mjs';
import { createProgress } from '../lib/progress.mjs';
import { stackPaths } from '../lib/stack-paths.mjs';

const USAGE = 'npm run dev -- [--stack NAME] [--with jaeger] [--only-infra] [--port-offset N]';

await runMain(async () => {
  requireNode(process.versions.node);
  const options = readArguments(USAGE, {
    stack: { type: 'string', default: 'dev' },
    with: { type: 'string', multiple: true, default: [] },
    'only-infra': { type: 'boolean', default: false },
    'port-offset': { type: 'string' },
  });
  const paths = stackPaths(options.stack);
  const offset = readOffset(options['port-offset'], offsetOfStack(options.stack));
  const say = createProgress();
  const withJaeger = options.with.includes('jaeger');
  const ports = portsFor(offset, process.env);
  const { stack } = await withStackLock(paths, () => startInfra({ paths, ports, withJaeger, say }));
  console.log(JSON.stringify(stack, undefined, 2));
});
