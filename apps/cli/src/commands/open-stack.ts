import { join } from 'node:path';
import { usualIntegration } from '@counterpart/bench';
import { knownProviders } from '@counterpart/crm-registry';
import { createStackControl, openBus, readStackEnv } from '@counterpart/scenario';
import type { RunOptions } from '@counterpart/scenario';

/** The checkout this program was built in: `.run/` and `scenarios/` lie there. */
export const checkoutRoot = join(__dirname, '..', '..', '..', '..');

/** What a run needs of a stack. */
export type StackParts = Pick<
  RunOptions,
  'env' | 'bus' | 'control' | 'knownProviders' | 'integrations'
>;

/** The stack is not there, or a part of it does not answer; the message says what to do. */
export class StackUnavailable extends Error {}

/**
 * Connects to a running stack, hands its parts to `work`, and closes them again. Throws
 * StackUnavailable before `work` has begun, never after.
 */
export async function withStack<T>(
  name: string,
  work: (parts: StackParts) => Promise<T>,
): Promise<T> {
  const { env, bus } = await connect(name);
  try {
    const control = createStackControl(checkoutRoot, env);
    return await work({
      env,
      bus,
      control,
      knownProviders: ['app', ...knownProviders],
      integrations: { 'usual-integration': usualIntegration },
    });
  } finally {
    await bus.close();
  }
}

async function connect(name: string): Promise<Pick<RunOptions, 'env' | 'bus'>> {
  try {
    const env = readStackEnv(checkoutRoot, name);
    return { env, bus: await openBus(env) };
  } catch (cause) {
    throw new StackUnavailable(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
