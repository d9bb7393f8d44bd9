import { hash128, type DeadLetter, type SourceEvent } from '@counterpart/sync-model';
import { faultOfEvent } from '../domain/event-check.js';
import { runGate } from '../domain/run-gate.js';
import type { Arrived, GatePorts } from './ports.js';

/**
 * A batch through the gate: one transaction that loads what is known, decides, and keeps the
 * decisions together with the messages for the next service. What crashes before its commit has not
 * happened; what crashes after it is found in the ledger.
 */
export const handleSourceEvents = async (
  arrived: readonly Arrived<SourceEvent>[],
  unreadable: readonly DeadLetter[],
  ports: GatePorts,
): Promise<void> => {
  const nowMs = ports.nowMs();
  const faulty: DeadLetter[] = [];
  const sound = arrived.filter((one) => {
    const fault = faultOfEvent(one.value, one.key);
    if (fault !== undefined) faulty.push(faultLetter(one, fault, nowMs));
    return fault === undefined;
  });
  const events = sound.map(({ value }) => value);
  // Traces are marked before the transaction: nothing waits inside one.
  const traces = await Promise.all(
    sound.map(({ value, traceparent }) => ports.traced(value, 'decide', traceparent)),
  );
  await ports.store.decide({ events, records: events }, (memory) => {
    const changes = runGate(events, memory, nowMs);
    return {
      ...changes,
      deadLetters: [...unreadable, ...faulty, ...changes.deadLetters],
      traceparents: traces,
    };
  });
};

const faultLetter = (one: Arrived<SourceEvent>, code: string, nowMs: number): DeadLetter => ({
  messageId: hash128(`dead|dedupe|${one.place}`),
  tenantId: one.value.tenantId,
  caseClass: 'processing-failure',
  service: 'dedupe',
  code,
  detail:
    'The event could be read but not kept under its key: whoever wrote it to the topic is wrong.',
  evidenceRef: one.place,
  occurredAtMs: nowMs,
});
