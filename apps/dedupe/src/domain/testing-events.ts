import {
  asEventKey,
  asExternalId,
  asOperationId,
  asSourceId,
  asTenantId,
  fingerprintOfEvent,
  fingerprintOfValue,
  hash128,
  recordKey,
  type FieldValue,
  type SourceEvent,
} from '@counterpart/sync-model';
import { decideEvent } from './decide-event.js';
import type { Decision } from './decision.js';
import { learn } from './learn.js';
import { emptyMemory, type LedgerEntry, type RecordMemory } from './record-memory.js';

/** A plain CRM delta; name what matters to the test. The fingerprint follows from the rest. */
export const anEvent = (
  parts: Partial<SourceEvent> & { readonly id?: string } = {},
): SourceEvent => {
  const { id = 'E1', ...given } = parts;
  const event = {
    eventKey: asEventKey(hash128(`event ${id}`)),
    tenantId: asTenantId('acme'),
    sourceId: asSourceId('crm'),
    provider: 'hubspot',
    recordType: 'contact',
    externalId: asExternalId('C1'),
    kind: 'changed',
    shape: 'delta',
    fields: {},
    relations: [],
    revision: null,
    occurredAtMs: 0,
    receivedAtMs: 1000,
    origin: 'unknown',
    originDetail: '',
    merge: null,
    readback: null,
    backfill: false,
    ...given,
  } satisfies Omit<SourceEvent, 'fingerprint'>;
  return { ...event, fingerprint: given.fingerprint ?? fingerprintOfEvent(event) };
};

/** Memory of writes of ours: per field the values, newest first. */
export const written = (
  fields: Readonly<Record<string, readonly FieldValue[]>>,
  operation = 'op',
): RecordMemory['written'] =>
  Object.fromEntries(
    Object.entries(fields).map(([field, values]) => [
      field,
      values.map((value, age) => ({
        fingerprint: fingerprintOfValue(value),
        operationId: asOperationId(operation),
        writtenAtMs: 500 - age,
      })),
    ]),
  );

export const remembering = (
  fields: Readonly<Record<string, readonly FieldValue[]>>,
): RecordMemory => ({ ...emptyMemory, written: written(fields) });

/** The gate over several events of any records, each seeing what the ones before it did. */
export class Gate {
  readonly ledger = new Map<string, LedgerEntry>();
  readonly records = new Map<string, RecordMemory>();

  constructor(private readonly initial: RecordMemory = emptyMemory) {}

  memoryOf(event: SourceEvent): RecordMemory {
    return this.records.get(recordKey(event)) ?? this.initial;
  }

  take(event: SourceEvent): Decision {
    const memory = this.memoryOf(event);
    const ledgerKey = `${event.tenantId}/${event.sourceId}/${event.eventKey}`;
    const seen = this.ledger.get(ledgerKey);
    const decision = decideEvent({ event, seen, memory });
    this.records.set(recordKey(event), learn(memory, event, decision));
    if (seen === undefined) {
      const state = decision.kind === 'forward' ? 'forwarded' : 'settled';
      const { fingerprint } = event;
      this.ledger.set(ledgerKey, {
        fingerprint,
        recordKey: recordKey(event),
        state,
        outcome: null,
      });
    }
    return decision;
  }

  /** What a sync result does to the ledger. */
  settle(event: SourceEvent, state: LedgerEntry['state']): void {
    const ledgerKey = `${event.tenantId}/${event.sourceId}/${event.eventKey}`;
    const entry = this.ledger.get(ledgerKey);
    if (entry) this.ledger.set(ledgerKey, { ...entry, state });
  }
}

/** `kind reason`, for tables. */
export const told = (decision: Decision): string => `${decision.kind} ${decision.reason}`;
