import { join } from 'node:path';
import { knownProviders } from '@counterpart/crm-registry';
import { createStackControl, openBus, readStackEnv } from '@counterpart/scenario';
import type { RunOptions } from '@counterpart/scenario';

/** The checkout this program was built in: `.run/` and `scenarios/` lie there. */
export const checkoutRoot = join(__dirname, '..', '..', '..', '..');

type StackParts = Pick<RunOptions, 'env' | 'bus' | 'control' | 'knownProviders'>;

/**
 * Connects to a running stack, hands its parts to `work`, and closes them again. Throws NoStack
 * when the stack is not there.
 */
export async function withStack<T>(
  name: string,
  work: (parts: StackParts) => Promise<T>,
): Promise<T> {
  const env = readStackEnv(checkoutRoot, name);
  const bus = await openBus(env);
  try {
    const control = createStackControl(checkoutRoot, env);
    return await work({ env, bus, control, knownProviders: ['app', ...knownProviders] });
  } finally {
    await bus.close();
  }
}
