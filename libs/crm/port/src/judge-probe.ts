import { fingerprintOfValue, type Fields } from '@counterpart/sync-model';
import type { FoundRecord, ProbeResult } from './reads.js';

/** A write whose outcome is unknown, as far as a look at the CRM can tell of it. */
export interface UncertainWrite {
  readonly action: 'create' | 'update';
  readonly fields: Fields;
  /** From then on nobody's request can still be travelling, and the CRM shows what it left. */
  readonly settleAtMs: number;
}

/** What a probe proves. */
export type ProbeVerdict =
  | { readonly kind: 'made'; readonly record: FoundRecord }
  | { readonly kind: 'not-made' }
  /** It may still come true: look again at the settle time. */
  | { readonly kind: 'too-early'; readonly lookAgainAtMs: number }
  | { readonly kind: 'ambiguous' }
  | { readonly kind: 'unreadable'; readonly code: string; readonly retryAtMs: number | null };

/**
 * A created record that is found is believed at any time. Everything else only when the probe *began*
 * after the settle time: until then the request may still be travelling, or the CRM's index may be
 * behind. That goes for an update that seems to be made, too: the record may have held these values
 * before, and the request may still land on what is written next. An update is found when the
 * record holds what was sent; a record that holds something else says that the update was not made
 * (or was overwritten since, which the writer's merge will see either way).
 */
export const judgeProbe = (
  write: UncertainWrite,
  result: ProbeResult,
  probedAtMs: number,
): ProbeVerdict => {
  switch (result.kind) {
    case 'found': {
      const { record } = result;
      if (write.action === 'create') return { kind: 'made', record };
      return holdsAll(record.stored, write.fields)
        ? settled(write, probedAtMs, { kind: 'made', record })
        : settled(write, probedAtMs, { kind: 'not-made' });
    }
    case 'absent':
      return settled(write, probedAtMs, { kind: 'not-made' });
    case 'ambiguous':
      return { kind: 'ambiguous' };
    case 'unreadable':
      return result;
    default:
      return result satisfies never;
  }
};

const settled = (
  { settleAtMs }: UncertainWrite,
  probedAtMs: number,
  verdict: ProbeVerdict,
): ProbeVerdict =>
  probedAtMs < settleAtMs ? { kind: 'too-early', lookAgainAtMs: settleAtMs } : verdict;

/** A CRM has no word for "cleared": an absent field and a null one are the same there. */
const holdsAll = (stored: Fields, sent: Fields): boolean =>
  Object.entries(sent).every(
    ([field, value]) => fingerprintOfValue(stored[field] ?? null) === fingerprintOfValue(value),
  );
