/**
 * The gate against a small model of a CRM that marks nothing: a record with two fields, changed by
 * our writes and by people, whose webhooks come doubled and in any order while the writer's reports
 * come early or late. Whatever happens, a side that only hears what the gate lets through ends up
 * believing what the CRM holds, and every key passes once.
 */
import {
  asOperationId,
  fingerprintOfValue,
  recordKey,
  type SourceEvent,
} from '@counterpart/sync-model';
import * as fc from 'fast-check';
import type { LedgerEntry, RecordMemory } from './record-memory.js';
import { emptyMemory } from './record-memory.js';
import { writesToRemember } from './remember-write.js';
import { runGate } from './run-gate.js';
import { anEvent, Gate, told } from './testing-events.js';

interface Change {
  readonly who: 'ours' | 'human';
  readonly field: string;
  readonly value: string;
  /** How long its webhooks, and our report, take to arrive. */
  readonly delays: readonly [number, number, number];
}
const change = fc.record<Change>({
  who: fc.constantFrom('ours', 'human'),
  field: fc.constantFrom('a', 'b'),
  value: fc.constantFrom('x', 'y', 'z'),
  delays: fc.tuple(fc.nat(200), fc.nat(200), fc.nat(200)),
});

/** A value and how new it is at the CRM. */
interface Belief {
  readonly revision: number;
  readonly value: unknown;
}
const stepMs = 10;

class World {
  readonly crm = new Map<string, Belief>();
  readonly believed = new Map<string, Belief>();
  readonly passed: SourceEvent[] = [];
  private readonly gate = new Gate();
  private readonly agenda: { readonly atMs: number; readonly run: () => void }[] = [];

  play(changes: readonly Change[]): void {
    changes.forEach((one, index) => {
      const revision = index + 1;
      this.at(revision * stepMs, () => this.happen(one, revision));
    });
    for (let next = this.takeNext(); next !== undefined; next = this.takeNext()) next.run();
  }

  valuesOf(side: ReadonlyMap<string, Belief>): Record<string, unknown> {
    return Object.fromEntries([...side].map(([field, { value }]) => [field, value]));
  }

  private at(atMs: number, run: () => void): void {
    this.agenda.push({ atMs, run });
  }

  private takeNext() {
    this.agenda.sort((a, b) => a.atMs - b.atMs);
    return this.agenda.shift();
  }

  /** The CRM tells of real changes only; what is stored twice is told once. */
  private happen({ who, field, value, delays }: Change, revision: number): void {
    if (this.crm.get(field)?.value === value) return;
    this.crm.set(field, { revision, value });
    const atMs = revision * stepMs;
    if (who === 'ours') {
      this.believe(field, { revision, value });
      this.at(atMs + delays[2], () => this.report(field, value, atMs));
    }
    for (const delay of delays.slice(0, 2)) {
      const receivedAtMs = atMs + delay;
      const stated = { id: `E${revision}`, revision: String(revision), fields: { [field]: value } };
      this.at(receivedAtMs, () => this.hear(anEvent({ ...stated, receivedAtMs })));
    }
  }

  private report(field: string, value: string, writtenAtMs: number): void {
    const any = anEvent();
    const memory = this.gate.memoryOf(any);
    const fields = { [field]: fingerprintOfValue(value) };
    const operationId = asOperationId(`op ${writtenAtMs}`);
    const report = { ...any, operationId, kind: 'written' as const, fields, writtenAtMs };
    const kept = writesToRemember(memory.head, report, fingerprintOfValue('deleted'));
    const written = { ...memory.written };
    for (const { field: name, fingerprint } of kept) {
      const others = (written[name] ?? []).filter((write) => write.fingerprint !== fingerprint);
      written[name] = [{ fingerprint, operationId, writtenAtMs }, ...others];
    }
    this.gate.records.set(recordKey(any), { ...memory, written });
  }

  /** What passes is believed: values as they are, a hint by reading the CRM. */
  private hear(event: SourceEvent): void {
    const decision = this.gate.take(event);
    if (decision.kind !== 'forward') return;
    this.passed.push(decision.event);
    if (decision.event.shape === 'hint') {
      for (const [field, held] of this.crm) this.believe(field, held);
    }
    for (const [field, value] of Object.entries(decision.event.fields)) {
      this.believe(field, { revision: Number(event.revision), value });
    }
  }

  private believe(field: string, belief: Belief): void {
    const known = this.believed.get(field);
    if (known === undefined || known.revision < belief.revision) this.believed.set(field, belief);
  }
}

const agrees = (changes: readonly Change[]): void => {
  const world = new World();
  world.play(changes);
  expect(world.valuesOf(world.believed)).toEqual(world.valuesOf(world.crm));
  const keys = world.passed.map(({ eventKey }) => eventKey);
  expect(new Set(keys).size).toBe(keys.length);
};

test('who hears only what passes ends up with what the CRM holds, edits back to our values included', () => {
  const prompt = change.map((one): Change => {
    const [first, second, report] = one.delays;
    return { ...one, delays: [first, second, report % stepMs] };
  });
  fc.assert(fc.property(fc.array(prompt, { maxLength: 12 }), agrees), { numRuns: 3_000 });
});

test('the same however late our reports are, while people choose values of their own', () => {
  const own = change.map((one): Change =>
    one.who === 'human' ? { ...one, value: `human ${one.value}` } : one,
  );
  fc.assert(fc.property(fc.array(own, { maxLength: 12 }), agrees), { numRuns: 3_000 });
});

test('when nobody else writes and each echo comes before the next write, nothing passes', () => {
  const ourWrite = change.map((one): Change => ({
    ...one,
    who: 'ours',
    delays: [one.delays[0] % stepMs, one.delays[1] % stepMs, 0],
  }));
  fc.assert(
    fc.property(fc.array(ourWrite, { maxLength: 8 }), (changes) => {
      const world = new World();
      world.play(changes);
      expect(world.passed).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('how events are cut into batches does not change what is decided', () => {
  const event = fc
    .record({
      id: fc.constantFrom('1', '2', '3', '4', '5', '6'),
      revision: fc.option(fc.integer({ min: 1, max: 5 }).map(String)),
      kind: fc.constantFrom('created', 'changed', 'changed', 'deleted', 'restored'),
      shape: fc.constantFrom('delta', 'snapshot'),
      origin: fc.constantFrom('ours', 'others', 'unknown'),
      fields: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y')),
    })
    .map((parts) => anEvent(parts as Partial<SourceEvent>));
  fc.assert(
    fc.property(fc.array(event, { maxLength: 10 }), fc.nat(10), (events, cut) => {
      const whole = batchwise([events]);
      expect(batchwise([events.slice(0, cut), events.slice(cut)])).toEqual(whole);
      expect(batchwise(events.map((one) => [one]))).toEqual(whole);
    }),
    { numRuns: 1_000 },
  );
});

/** Decisions over batches, memory kept in between as a store would. */
const batchwise = (batches: readonly (readonly SourceEvent[])[]): readonly string[] => {
  const ledger = new Map<string, LedgerEntry>();
  const memories = new Map<string, RecordMemory>();
  return batches.flatMap((events) => {
    const changes = runGate(events, { seen: ledger, memories }, 7);
    for (const { record, after } of changes.memories) {
      memories.set(recordKey(record), { ...after, openHint: emptyMemory.openHint });
    }
    for (const { event, state, outcome } of changes.ledger) {
      const { fingerprint } = event;
      const key = `${event.tenantId}\u001f${event.sourceId}\u001f${event.eventKey}`;
      ledger.set(key, { fingerprint, recordKey: recordKey(event), state, outcome });
    }
    return changes.decisions.map(told);
  });
};
