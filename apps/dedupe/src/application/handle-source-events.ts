import type { DeadLetter, SourceEvent } from '@counterpart/sync-model';
import { runGate, type GateChanges } from '../domain/run-gate.js';
import type { Arrived, GateOutput, GatePorts } from './ports.js';

/**
 * A batch through the gate: one transaction that loads what is known, decides, and keeps the
 * decisions together with the messages for the next service. What crashes before its commit has not
 * happened; what crashes after it is found in the ledger.
 */
export const handleSourceEvents = async (
  arrived: readonly Arrived<SourceEvent>[],
  parked: readonly Arrived<DeadLetter>[],
  ports: GatePorts,
): Promise<void> => {
  const nowMs = ports.nowMs();
  const events = arrived.map(({ value }) => value);
  const marks = ports.mark(arrived);
  const outputOf = (changes: GateChanges): GateOutput => {
    const traceOf = (index: number) => marks.traceparents[index] ?? null;
    return {
      changes,
      outgoing: {
        operations: changes.operations.map(({ operation, index }) => ({
          value: operation,
          traceparent: traceOf(index),
        })),
        deadLetters: [
          ...parked,
          ...changes.deadLetters.map(({ letter, index }) => ({
            value: letter,
            traceparent: traceOf(index),
          })),
        ],
      },
    };
  };
  try {
    const { changes } = await ports.store.decide(events, (memory) =>
      outputOf(runGate(events, memory, nowMs)),
    );
    marks.end(changes.decisions);
    ports.counted(changes.decisions);
  } finally {
    marks.end([]);
  }
};
