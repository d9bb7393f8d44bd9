#!/usr/bin/env node
import { readArguments } from '../lib/arguments.mjs';
import { Fault, runMain } from '../lib/fault.mjs';
import { control } from '../lib/stack.mjs';

const USAGE = `node tools/dev/bin/service.mjs STACK ACTION NAME
services: start stop restart kill pause resume; postgres, redis, kafka, registry, jaeger: start stop restart`;

await runMain(async () => {
  const { positionals } = readArguments(USAGE, {}, { allowPositionals: true });
  if (positionals.length !== 3) throw new Fault(`usage: ${USAGE.split('\n')[0]}`);
  const [stackName, action, name] = positionals;
  await control(stackName, action, name);
});
