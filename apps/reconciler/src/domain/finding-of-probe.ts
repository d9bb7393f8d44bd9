import type { ProbeVerdict } from '@counterpart/crm-port';
import type { ReadbackFinding } from '@counterpart/sync-model';
import type { Readback } from './readback.js';

/** A verdict that ends a readback. */
export type Proof = Extract<ProbeVerdict, { kind: 'made' | 'not-made' | 'ambiguous' }>;

/** What a probe proved, as the statement the writer hears. */
export const findingOfProbe = (
  { operationId, operationVersion }: Pick<Readback, 'operationId' | 'operationVersion'>,
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
