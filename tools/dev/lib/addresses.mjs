/** The addresses of a running stack as lines of a table. @param stack contents of env.json */
export function addressTable(stack) {
  const running = Object.keys(stack.services).filter((name) => stack.processes[name]);
  const rows = [
    ['postgres', stack.postgres.adminUrl],
    ['redis', stack.redisUrl],
    ['kafka', stack.kafkaBrokers.join(',')],
    ['registry', stack.schemaRegistryUrl],
    ...(stack.jaegerUrl ? [['jaeger', stack.jaegerUrl]] : []),
    ...running.map((name) => [name, stack.services[name]]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, address]) => `  ${name.padEnd(width)}  ${address}`).join('\n');
}
