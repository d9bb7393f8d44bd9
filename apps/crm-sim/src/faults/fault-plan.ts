import type { CallKind } from '../calls/call-log.js';
import type { Random } from '../portals/random.js';
import type { Fault, FaultRule } from './fault-rule.js';

/** What a rule is matched against. */
export interface FaultTarget {
  readonly method: string;
  readonly path: string;
  readonly kind: CallKind;
  readonly rawBody: string;
}

/** A rule with what it has met so far. */
export interface PlannedFault {
  readonly faultId: string;
  readonly rule: FaultRule;
  /** Matching calls. */
  seen: number;
  /** Calls it struck. */
  hits: number;
  firstHitMs: number | null;
  /** Answers it is keeping back now. */
  holding: number;
}

/** The faults of one portal. A call is struck by the first rule whose turn it is. */
export class FaultPlan {
  private planned: PlannedFault[] = [];
  private made = 0;
  private readonly releases = new Set<() => void>();

  constructor(
    private readonly random: Random,
    private readonly nowMs: () => number,
  ) {}

  add(rule: FaultRule): string {
    const faultId = `fault-${++this.made}`;
    this.planned.push({ faultId, rule, seen: 0, hits: 0, firstHitMs: null, holding: 0 });
    return faultId;
  }

  /** Takes back one rule, or all. Answers already held stay held. */
  remove(faultId?: string): number {
    const before = this.planned.length;
    this.planned = faultId === undefined ? [] : this.planned.filter((p) => p.faultId !== faultId);
    return before - this.planned.length;
  }

  list(): readonly PlannedFault[] {
    return this.planned;
  }

  /** Counts the call in every rule it matches and returns the fault that strikes it, if any. */
  strike(target: FaultTarget): { readonly planned: PlannedFault; readonly fault: Fault } | null {
    let struck: PlannedFault | null = null;
    for (const planned of this.planned) {
      if (!matches(planned.rule, target)) continue;
      planned.seen += 1;
      if (struck === null && this.isDue(planned)) struck = planned;
    }
    if (struck === null) return null;
    struck.hits += 1;
    struck.firstHitMs ??= this.nowMs();
    return { planned: struck, fault: struck.rule.fault };
  }

  /** Keeps an answer back until `release`, or until the returned call says that nobody waits. */
  hold(planned: PlannedFault, answer: () => void): () => void {
    planned.holding += 1;
    const letGo = (send: boolean): void => {
      if (!this.releases.delete(release)) return;
      planned.holding -= 1;
      if (send) answer();
    };
    const release = (): void => letGo(true);
    this.releases.add(release);
    return () => letGo(false);
  }

  /** Lets every held answer go. Returns how many. */
  release(): number {
    const held = [...this.releases];
    held.forEach((send) => send());
    return held.length;
  }

  private isDue({ rule, seen, hits, firstHitMs }: PlannedFault): boolean {
    const age = firstHitMs === null ? 0 : this.nowMs() - firstHitMs;
    if (rule.forMs !== undefined && age >= rule.forMs) return false;
    if (rule.times !== undefined && hits >= rule.times) return false;
    const turn = seen - rule.offset;
    if (turn < 1) return false;
    if (rule.nth !== undefined && turn !== rule.nth) return false;
    if (rule.every !== undefined && turn % rule.every !== 0) return false;
    return rule.fraction === undefined || this.random.fraction() < rule.fraction;
  }
}

function matches({ match }: FaultRule, target: FaultTarget): boolean {
  return (
    (match.method === undefined || match.method.toUpperCase() === target.method) &&
    (match.kind === undefined || match.kind === 'any' || match.kind === target.kind) &&
    (match.path === undefined || new RegExp(match.path).test(target.path)) &&
    (match.contains === undefined || target.rawBody.includes(match.contains))
  );
}
