import {
  findingOfProbe,
  isProof,
  judgeProbe,
  type CrmAdapter,
  type ProbeVerdict,
} from '@counterpart/crm-port';
import {
  asEventKey,
  asExternalId,
  hash128,
  type ReadbackFinding,
  type SourceEvent,
  type UnknownOperation,
} from '@counterpart/sync-model';
import { crm, event } from '../testing/builders.js';
import type { MemoryTables } from './memory-tables.js';
import type { SimProcess } from './sim-process.js';

/** The reconciler as the writer sees it: looks when the settle time is over, answers as an event. */
export const startReconciler = (
  process: SimProcess,
  adapter: CrmAdapter,
  tables: MemoryTables,
  world: { readonly nowMs: () => number; readonly isHasty: boolean },
): void => {
  const { nowMs } = world;
  const store = process.port(readbacksIn(tables, world), 'store');
  const asked = process.port(adapter, 'crm');
  const loop = async (): Promise<void> => {
    for (;;) {
      await process.sleep(1_000);
      for (const readback of await store.due()) {
        const probedAtMs = nowMs();
        const { marker, fields, externalId } = readback;
        const [result] = await asked.probe(readback.recordType, [{ marker, fields, externalId }]);
        if (result === undefined) continue;
        await store.answer(readback, judgeProbe(readback, result, probedAtMs));
      }
    }
  };
  loop().catch(() => startReconciler(process, adapter, tables, world));
};

const readbacksIn = (
  tables: MemoryTables,
  { nowMs, isHasty }: { readonly nowMs: () => number; readonly isHasty: boolean },
) => ({
  /** Statements of operations still open whose settle time is over. */
  due: (): Promise<readonly UnknownOperation[]> =>
    Promise.resolve(
      tables.outbox.flatMap((message) =>
        message.topic === 'counterpart.unknown-operations.v1' &&
        (isHasty || message.value.settleAtMs + 250 <= nowMs()) &&
        tables.isOpen(message.value)
          ? [isHasty ? { ...message.value, settleAtMs: 0 } : message.value]
          : [],
      ),
    ),
  answer: (readback: UnknownOperation, verdict: ProbeVerdict): Promise<void> => {
    if (isProof(verdict)) {
      const finding = findingOfProbe(readback, verdict);
      tables.keep(readbackEvent(readback, finding, nowMs()), nowMs());
      tables.answered.add(readback.messageId);
    }
    return Promise.resolve();
  },
});

const readbackEvent = (
  readback: UnknownOperation,
  finding: ReadbackFinding,
  nowMs: number,
): SourceEvent =>
  event({
    sourceId: crm,
    recordType: readback.recordType,
    externalId: asExternalId(`op:${readback.operationId}`),
    eventKey: asEventKey(hash128(`readback|${readback.messageId}|${String(nowMs)}`)),
    kind: 'readback',
    occurredAtMs: nowMs,
    readback: finding,
  });
