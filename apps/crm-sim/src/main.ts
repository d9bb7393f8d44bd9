import { z } from 'zod';
import { startCrmSim } from './server/crm-sim-server.js';

const environment = z.object({
  HTTP_HOST: z.string().min(1).default('127.0.0.1'),
  HTTP_PORT: z.coerce.number().int().min(0).max(65_535).default(27_010),
});

/** Starts the simulator as a process of its own; SIGTERM and SIGINT end it. */
async function main(): Promise<void> {
  const env = environment.safeParse(process.env);
  if (!env.success) {
    process.stderr.write(`crm-sim cannot start:\n${z.prettifyError(env.error)}\n`);
    process.exitCode = 1;
    return;
  }
  const sim = await startCrmSim({ host: env.data.HTTP_HOST, port: env.data.HTTP_PORT });
  const stop = (): void => {
    sim.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.stdout.write(`ready crm-sim ${sim.url}\n`);
}

main().catch((error: unknown) => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const hint =
    code === 'EADDRINUSE' ? 'the port is taken; set HTTP_PORT to a free one' : String(error);
  process.stderr.write(`crm-sim cannot start: ${hint}\n`);
  process.exitCode = 1;
});
