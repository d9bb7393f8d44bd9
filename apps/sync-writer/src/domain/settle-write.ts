import type { FoundRecord, WriteResult } from '@counterpart/crm-port';
import {
  fingerprintOfValue,
  type EvidenceClass,
  type ExternalId,
  type Fields,
  type MappingOrigin,
} from '@counterpart/sync-model';
import type { RequestTimes } from './claim.js';
import type { Operation, Settlement } from './operation.js';
import { baseAfterWrite } from './plan-target.js';
import type { Outgoing } from './outgoing.js';
import { operationResult, type Verdict } from './results.js';
import type { Base, Entity, Mapping, NeedOutcome } from './work.js';
import { mappingMessage, unknownOperation, writeMemory } from './write-messages.js';

/** A write under a claim, as far as it is known when its result comes in. */
export interface ClaimedWrite {
  readonly token: string;
  readonly claimKey: string;
  readonly operation: Operation;
  /** What the write was planned from; nobody plans again after a readback, who waits for it will. */
  readonly entity?: Pick<Entity, 'version'>;
  /** What we knew of the record before the write; null for a create. */
  readonly mapping: Mapping | null;
}

/** What became of a write: the CRM's answer, or what a look at the CRM found instead. */
export type WriteEnding =
  | { readonly kind: 'result'; readonly result: WriteResult }
  /** A readback found this operation's own record. */
  | {
      readonly kind: 'read-back';
      readonly record: Pick<FoundRecord, 'externalId' | 'stored' | 'versionToken'>;
    }
  /** A readback with certainty found nothing: it was never done. */
  | { readonly kind: 'not-done' }
  /** A record that was there before us takes the place of the one we meant to create. */
  | {
      readonly kind: 'adopt';
      readonly record: FoundRecord;
      readonly base: Base;
      readonly evidence: EvidenceClass;
    }
  | { readonly kind: 'ambiguous' }
  | { readonly kind: 'held'; readonly reason: string };

export interface Settled {
  readonly settlement: Settlement;
  readonly outcome: NeedOutcome;
}

interface SettleWorld {
  readonly nowMs: number;
  readonly request: RequestTimes;
  readonly provider: string;
}

/** Reason of an ending whose record belongs to another entity. */
export const recordTaken = 'record-belongs-to-another-entity';

/** Codes of refusals that speak of the connection, not of the record: waiting may mend them. */
const connectionRefusals: ReadonlySet<string> = new Set(['credentials', 'permission']);

/** From what happened to what is committed: the claim, the operation, the mapping, the messages. */
export const settleWrite = (
  write: ClaimedWrite,
  ending: WriteEnding,
  world: SettleWorld,
): Settled => {
  switch (ending.kind) {
    case 'result':
      return settleResult(write, ending.result, world);
    case 'read-back':
      return confirmed(
        write,
        { ...ending.record, outcome: 'reconciled', evidence: 'readback' },
        world,
      );
    case 'adopt':
      return adopted(write, ending, world.nowMs);
    case 'not-done':
      return notDone(write, world.nowMs);
    case 'ambiguous':
      return parked(write, 'needs-review', 'several-records-match', world.nowMs);
    case 'held':
      return parked(write, 'needs-review', ending.reason, world.nowMs);
    default:
      return ending satisfies never;
  }
};

const settleResult = (write: ClaimedWrite, result: WriteResult, world: SettleWorld): Settled => {
  switch (result.kind) {
    case 'confirmed':
      return confirmed(write, { ...result, outcome: 'applied', evidence: 'crm-answer' }, world);
    case 'refused':
      if (connectionRefusals.has(result.code)) return deferred(write, null, true, result.code);
      return parked(write, 'quarantined', result.code, world.nowMs);
    case 'throttled':
      // Our own limiter asked us to wait: no attempt was made, none is charged.
      return deferred(write, result.retryAtMs, result.code !== 'quota', result.code);
    case 'unsent':
      return deferred(write, null, true, result.code);
    case 'unknown':
      return unknown(write, result.code, world);
    default:
      return result satisfies never;
  }
};

interface Confirmation {
  readonly externalId: ExternalId;
  readonly stored: Fields;
  readonly versionToken: string | null;
  readonly outcome: 'applied' | 'reconciled';
  readonly evidence: EvidenceClass;
}

const confirmed = (
  write: ClaimedWrite,
  answer: Confirmation,
  { nowMs, request }: SettleWorld,
): Settled => {
  const { operation } = write;
  const mapping: Mapping = {
    sourceId: operation.sourceId,
    recordType: operation.recordType,
    externalId: answer.externalId,
    entityId: operation.entityId,
    status: 'linked',
    origin: write.mapping?.origin ?? 'created',
    base: baseAfterWrite(
      write.mapping?.base ?? {},
      sentAndKept(operation, answer),
      answer.stored,
      nowMs,
    ),
    versionToken: answer.versionToken,
    exclusive: true,
  };
  const verdict = {
    ...pickVerdict(answer),
    reason: operation.action,
    externalId: answer.externalId,
  };
  return {
    settlement: {
      ...ending(write, 'confirmed', answer.outcome, operation.action),
      mapping,
      messages: [
        operationResult(operation, verdict, nowMs),
        writeMemory(operation, mapping, request.sentAtMs),
        ...(write.mapping === null ? [mappingMessage(operation, mapping, nowMs)] : []),
      ],
      ifTaken: [takenResult(operation, answer, nowMs)],
    },
    outcome: {
      kind: 'linked',
      externalId: answer.externalId,
      wrote: answer.outcome,
      // Time has passed since it was planned, and nobody knows from which state of the entity.
      again: answer.evidence === 'readback',
    },
  };
};

/**
 * What differs in the CRM's own answer it has cut or re-formatted. What differs when we look later
 * may as well be somebody's edit, so nothing is known of that field: it is written once more, and
 * the edit's own event is later than that.
 */
const sentAndKept = ({ fields }: Operation, { evidence, stored }: Confirmation): Fields =>
  evidence === 'readback'
    ? Object.fromEntries(
        Object.entries(fields).filter(
          ([field, value]) =>
            fingerprintOfValue(stored[field] ?? null) === fingerprintOfValue(value),
        ),
      )
    : fields;

const pickVerdict = (answer: Confirmation): Pick<Verdict, 'outcome' | 'evidence'> => ({
  outcome: answer.outcome,
  evidence: answer.evidence,
});

/** The record turned out to be another entity's: a person has to say whose it is. */
const takenResult = (
  operation: Operation,
  { evidence, externalId }: Pick<Verdict, 'evidence' | 'externalId'>,
  nowMs: number,
): Outgoing =>
  operationResult(
    operation,
    { outcome: 'needs-review', reason: recordTaken, evidence, externalId },
    nowMs,
  );

const adopted = (
  write: ClaimedWrite,
  found: Extract<WriteEnding, { kind: 'adopt' }>,
  nowMs: number,
): Settled => {
  const origin: MappingOrigin = 'adopted';
  const mapping: Mapping = {
    sourceId: write.operation.sourceId,
    recordType: write.operation.recordType,
    externalId: found.record.externalId,
    entityId: write.operation.entityId,
    status: 'linked',
    origin,
    base: found.base,
    versionToken: found.record.versionToken,
    exclusive: true,
  };
  const verdict: Verdict = {
    outcome: 'reconciled',
    reason: 'adopted-existing',
    evidence: found.evidence,
    externalId: mapping.externalId,
  };
  return {
    settlement: {
      ...ending(write, 'confirmed', 'reconciled', 'adopted-existing'),
      mapping,
      messages: [
        operationResult(write.operation, verdict, nowMs),
        mappingMessage(write.operation, mapping, nowMs),
      ],
      ifTaken: [takenResult(write.operation, { ...verdict, ...found.record }, nowMs)],
    },
    // What differs from the record that was there is written in a pass of its own.
    outcome: { kind: 'linked', externalId: mapping.externalId, wrote: 'reconciled', again: true },
  };
};

const deferred = (
  write: ClaimedWrite,
  retryAtMs: number | null,
  counts: boolean,
  reason: string,
): Settled => ({
  settlement: { ...ending(write, 'deferred', null, reason), mapping: null, messages: [] },
  outcome: { kind: 'defer', retryAtMs, counts, reason },
});

/**
 * Whoever was told that its outcome is unknown hears that it is known now. Should the write still be
 * wanted, a later version tells how that went; should nobody want it any more, this was the end.
 */
const notDone = (write: ClaimedWrite, nowMs: number): Settled => {
  const { settlement, outcome } = deferred(write, null, true, 'readback-absent');
  const { operation } = write;
  if (operation.version === 0) return { settlement, outcome };
  const verdict: Verdict = {
    outcome: 'superseded',
    reason: 'never-done',
    evidence: 'readback',
    externalId: operation.externalId,
  };
  return {
    settlement: {
      ...settlement,
      outcome: verdict.outcome,
      messages: [operationResult(operation, verdict, nowMs)],
    },
    outcome,
  };
};

const parked = (
  write: ClaimedWrite,
  outcome: 'quarantined' | 'needs-review',
  reason: string,
  nowMs: number,
): Settled => ({
  settlement: {
    ...ending(write, outcome === 'quarantined' ? 'refused' : 'held', outcome, reason),
    mapping: null,
    messages: [
      operationResult(
        write.operation,
        { outcome, reason, evidence: 'crm-answer', externalId: write.operation.externalId },
        nowMs,
      ),
    ],
  },
  outcome: { kind: 'parked', outcome, reason },
});

/** The claim stays in `sending`; the reconciler looks when the settle time has passed. */
const unknown = (write: ClaimedWrite, reason: string, world: SettleWorld): Settled => ({
  settlement: {
    ...ending(write, 'unknown', 'unknown', reason),
    release: false,
    mapping: null,
    messages: [
      operationResult(
        write.operation,
        { outcome: 'unknown', reason, evidence: 'none', externalId: write.operation.externalId },
        world.nowMs,
      ),
      unknownOperation(write.operation, world),
    ],
  },
  outcome: { kind: 'wait', claimKey: write.claimKey, untilMs: world.request.settleAtMs },
});

const ending = (
  write: ClaimedWrite,
  state: Operation['state'],
  outcome: string | null,
  reason: string,
): Omit<Settlement, 'mapping' | 'messages'> => ({
  ifTaken: [],
  token: write.token,
  claimKey: write.claimKey,
  entityVersion: write.entity?.version ?? null,
  operation: write.operation,
  release: true,
  state,
  outcome,
  reason,
});
