import type { ProbeResult } from '@counterpart/crm-port';
import {
  fingerprintOfValue,
  type ExternalId,
  type Fields,
  type ReadbackFinding,
} from '@counterpart/sync-model';
import type { Readback } from './readback.js';

/** What a probe says of an operation. */
export type Judgement =
  | { readonly kind: 'verdict'; readonly finding: ReadbackFinding }
  /** It may still come true: look again at the settle time. */
  | { readonly kind: 'too-early'; readonly lookAgainAtMs: number }
  | { readonly kind: 'unreadable'; readonly code: string; readonly retryAtMs: number | null };

/**
 * "Found" is believed at any time. "Absent" only when the probe *began* after the settle time: until
 * then the request may still be travelling, or the CRM's index may be behind. An update is found
 * when the record holds what was sent; a record that exists and holds something else says that the
 * update was not made (or was overwritten since, which the writer's merge will see either way).
 */
export function judgeProbe(
  readback: Pick<Readback, 'operationId' | 'action' | 'fields' | 'settleAtMs'>,
  result: ProbeResult,
  probedAtMs: number,
): Judgement {
  switch (result.kind) {
    case 'found': {
      const { externalId, stored } = result.record;
      const isMade = readback.action === 'create' || holdsAll(stored, readback.fields);
      return isMade ? verdict(readback, 'found', externalId, stored) : absent(readback, probedAtMs);
    }
    case 'absent':
      return absent(readback, probedAtMs);
    case 'ambiguous':
      return verdict(readback, 'ambiguous', null, {});
    case 'unreadable':
      return { kind: 'unreadable', code: result.code, retryAtMs: result.retryAtMs };
    default:
      return result satisfies never;
  }
}

function absent(
  readback: Pick<Readback, 'operationId' | 'settleAtMs'>,
  probedAtMs: number,
): Judgement {
  return probedAtMs < readback.settleAtMs
    ? { kind: 'too-early', lookAgainAtMs: readback.settleAtMs }
    : verdict(readback, 'absent', null, {});
}

const verdict = (
  { operationId }: Pick<Readback, 'operationId'>,
  word: ReadbackFinding['verdict'],
  externalId: ExternalId | null,
  stored: Fields,
): Judgement => ({
  kind: 'verdict',
  finding: { operationId, verdict: word, externalId, stored },
});

/** A CRM has no word for "cleared": an absent field and a null one are the same there. */
const holdsAll = (stored: Fields, sent: Fields): boolean =>
  Object.entries(sent).every(
    ([field, value]) => fingerprintOfValue(stored[field] ?? null) === fingerprintOfValue(value),
  );
