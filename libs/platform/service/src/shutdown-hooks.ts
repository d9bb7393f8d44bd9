import type { InjectionToken, Provider } from '@nestjs/common';

/*
 * Stopping goes in this order, and each step waits for the one before it:
 *   1. stopTaking   readiness says no; loops finish the unit in hand and take no more
 *   2. (transport)  the HTTP server drains, the Kafka strategy finishes its batch and leaves
 *   3. closing      pools, producers and tracing close: nobody uses them any more
 * Closing a pool in step 1 would lose the batch that step 2 still handles.
 */

type Step = (...parts: never[]) => Promise<void> | void;

/** A provider whose step runs before the transports stop. */
export const stopTaking = (tokens: readonly InjectionToken[], step: Step): Provider => ({
  provide: Symbol('stop-taking'),
  inject: [...tokens],
  useFactory: (...parts: never[]) => ({ beforeApplicationShutdown: () => step(...parts) }),
});

/** A provider whose step runs after the transports have stopped. Close inside in use order. */
export const closing = (tokens: readonly InjectionToken[], step: Step): Provider => ({
  provide: Symbol('closing'),
  inject: [...tokens],
  useFactory: (...parts: never[]) => ({ onApplicationShutdown: () => step(...parts) }),
});
