import type { ReadbackFinding } from '@counterpart/sync-model';
import type { ProbeVerdict } from './judge-probe.js';

/** A verdict that proves something. */
export type Proof = Extract<ProbeVerdict, { kind: 'made' | 'not-made' | 'ambiguous' }>;

/** What a probe of one operation proved, as the statement about it. */
export const findingOfProbe = (
  { operationId, operationVersion }: Pick<ReadbackFinding, 'operationId' | 'operationVersion'>,
  proof: Proof,
): ReadbackFinding => {
  const about = { operationId, operationVersion, externalId: null, stored: {} };
  switch (proof.kind) {
    case 'made': {
      const { externalId, stored } = proof.record;
      return { ...about, verdict: 'found', externalId, stored };
    }
    case 'not-made':
      return { ...about, verdict: 'absent' };
    case 'ambiguous':
      return { ...about, verdict: 'ambiguous' };
    default:
      return proof satisfies never;
  }
};

export const isProof = (verdict: ProbeVerdict): verdict is Proof =>
  verdict.kind !== 'too-early' && verdict.kind !== 'unreadable';
