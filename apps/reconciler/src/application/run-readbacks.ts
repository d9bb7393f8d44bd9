import {
  findingOfProbe,
  judgeProbe,
  type CrmAdapter,
  type ProbeResult,
  type ProbeVerdict,
  type Proof,
} from '@counterpart/crm-port';
import type { Clock, Random } from '@counterpart/sync-model';
import { findingOfReadback } from '../domain/finding.js';
import type { Readback } from '../domain/readback.js';
import { readbackEvent } from '../domain/readback-event.js';
import { scheduleProbe } from '../domain/schedule-probe.js';
import type { ProbeEnding, ReadbackObserver, ReadbackStore, SourceRef, Sources } from './ports.js';

export interface RunnerPorts {
  readonly store: ReadbackStore;
  readonly sources: Sources;
  readonly clock: Clock;
  readonly random: Random;
  readonly observer: ReadbackObserver;
  /** Events or cases were stored: the outbox may have rows. */
  readonly onStored: () => void;
  /** Our own store failed in the middle; the lease ends by itself and the readbacks come again. */
  readonly onBroken: (error: unknown) => void;
}

/** One call probes a hundred records at best, and one search finds five a second. */
const PER_SOURCE = 100;
const TAKE_MAX = 500;
const SOURCES_AT_ONCE = 8;
/** Longer than a batch of probes with all its requests; after it another process may try. */
const LEASE_MS = 45_000;

/**
 * Looks for operations whose outcome is unknown. Sources are asked side by side, each by one batch
 * at a time: one that hangs holds up nobody else's readbacks.
 */
export class ReadbackRunner {
  private readonly underWay = new Map<string, { source: SourceRef; done: Promise<void> }>();

  constructor(private readonly ports: RunnerPorts) {}

  /** Takes what is due and starts asking; resolves when taken, with the number of readbacks. */
  async round(): Promise<number> {
    if (this.underWay.size >= SOURCES_AT_ONCE) return 0;
    const leaseToken = this.ports.random.uuid();
    const taken = await this.ports.store.takeDue({
      nowMs: this.ports.clock.nowMs(),
      leaseToken,
      leaseMs: LEASE_MS,
      busy: [...this.underWay.values()].map(({ source }) => source),
      perSource: PER_SOURCE,
      limit: TAKE_MAX,
    });
    for (const [key, readbacks] of bySource(taken)) this.start(key, readbacks, leaseToken);
    return taken.length;
  }

  /** Waits until every probe under way is stored. */
  async settled(): Promise<void> {
    await Promise.all([...this.underWay.values()].map(({ done }) => done));
  }

  private start(key: string, readbacks: readonly Readback[], leaseToken: string): void {
    const [first] = readbacks;
    if (first === undefined) return;
    const done = this.ask(readbacks, leaseToken)
      .catch((error: unknown) => this.ports.onBroken(error))
      .finally(() => this.underWay.delete(key));
    this.underWay.set(key, { source: first, done });
  }

  private async ask(readbacks: readonly Readback[], leaseToken: string): Promise<void> {
    for (const group of byRecordType(readbacks)) {
      const endings = await this.ports.observer.probe(group, () => this.probe(group, leaseToken));
      await this.ports.store.end(endings, this.ports.clock.nowMs());
      this.ports.onStored();
    }
  }

  private async probe(
    group: readonly Readback[],
    leaseToken: string,
  ): Promise<readonly ProbeEnding[]> {
    const probedAtMs = this.ports.clock.nowMs();
    const results = await this.resultsFor(group);
    return group.map((readback, index) => {
      const result = results[index] ?? noVerdict;
      const verdict = judgeProbe(readback, result, probedAtMs);
      const ending = this.endingOf(readback, verdict, leaseToken);
      this.ports.observer.ended(readback, ending.code);
      return ending;
    });
  }

  private async resultsFor(group: readonly Readback[]): Promise<readonly ProbeResult[]> {
    const [first] = group;
    if (first === undefined) return [];
    const opened = await this.ports.sources.open(first.tenantId, first.sourceId);
    if (!opened.ok) {
      const fault: ProbeResult = {
        kind: 'unreadable',
        code: opened.code,
        retryAtMs: opened.retryAtMs,
      };
      return group.map(() => fault);
    }
    return probeWith(opened.adapter, group);
  }

  private endingOf(readback: Readback, verdict: ProbeVerdict, leaseToken: string): ProbeEnding {
    switch (verdict.kind) {
      case 'made':
      case 'not-made':
      case 'ambiguous':
        return { ...answered(readback, verdict, this.ports.clock.nowMs()), leaseToken };
      case 'too-early': {
        const dueAtMs = verdict.lookAgainAtMs;
        const next = { state: 'waiting', dueAtMs, counts: false } as const;
        return { readback, leaseToken, next, code: 'too-early', finding: null };
      }
      case 'unreadable':
        return this.unreadable(readback, verdict, leaseToken);
      default:
        return verdict satisfies never;
    }
  }

  private unreadable(
    readback: Readback,
    fault: Extract<ProbeVerdict, { kind: 'unreadable' }>,
    leaseToken: string,
  ): ProbeEnding {
    const nowMs = this.ports.clock.nowMs();
    const next = scheduleProbe(readback, fault, { nowMs, fraction: this.ports.random.fraction() });
    const base = { readback, leaseToken, code: fault.code };
    if (next.kind === 'again') {
      const { dueAtMs, counts } = next;
      return { ...base, next: { state: 'waiting', dueAtMs, counts }, finding: null };
    }
    const trouble = { kind: 'given-up', code: next.code } as const;
    return {
      ...base,
      next: { state: 'given-up' },
      finding: findingOfReadback(readback, trouble, nowMs),
    };
  }
}

const answered = (
  readback: Readback,
  proof: Proof,
  nowMs: number,
): Omit<ProbeEnding, 'leaseToken'> => {
  const finding = findingOfProbe(readback, proof);
  return {
    readback,
    next: { state: 'answered', event: readbackEvent(readback, finding, nowMs) },
    code: finding.verdict,
    finding:
      proof.kind === 'ambiguous' ? findingOfReadback(readback, { kind: 'ambiguous' }, nowMs) : null,
  };
};

const noVerdict: ProbeResult = { kind: 'unreadable', code: 'no-verdict', retryAtMs: null };

const probeWith = (
  adapter: CrmAdapter,
  group: readonly Readback[],
): Promise<readonly ProbeResult[]> =>
  adapter.probe(
    group[0]?.recordType ?? '',
    group.map(({ marker, fields, externalId }) => ({ marker, fields, externalId })),
  );

const bySource = (readbacks: readonly Readback[]): ReadonlyMap<string, readonly Readback[]> =>
  groupBy(readbacks, ({ tenantId, sourceId }) => `${tenantId}\u001f${sourceId}`);

const byRecordType = (readbacks: readonly Readback[]): readonly (readonly Readback[])[] => [
  ...groupBy(readbacks, ({ recordType }) => recordType).values(),
];

function groupBy(
  readbacks: readonly Readback[],
  keyOf: (readback: Readback) => string,
): ReadonlyMap<string, readonly Readback[]> {
  const groups = new Map<string, Readback[]>();
  for (const readback of readbacks) {
    const group = groups.get(keyOf(readback)) ?? [];
    group.push(readback);
    groups.set(keyOf(readback), group);
  }
  return groups;
}
