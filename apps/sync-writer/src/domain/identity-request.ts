import type { RecordRef, SourceEvent } from '@counterpart/sync-model';
import { recordPlanOf, type SyncPlan } from '@counterpart/sync-plan';
import { matchKeysOf, type IdentityRequest } from './identity-snapshot.js';
import { statementsOf } from './statements.js';

/** What of the identity graph a batch of one tenant's events touches. */
export const identityRequestOf = (
  events: readonly SourceEvent[],
  plan: SyncPlan,
): IdentityRequest => {
  const records: RecordRef[] = [];
  const keys: IdentityRequest['keys'][number][] = [];
  for (const event of events) {
    const at = (externalId: RecordRef['externalId'], recordType = event.recordType) =>
      records.push({ tenantId: plan.tenantId, sourceId: event.sourceId, recordType, externalId });
    at(event.externalId);
    event.merge?.loserIds.forEach((id) => at(id));
    if (event.merge) at(event.merge.survivorId);
    for (const { recordType, externalId, fields } of statementsOf(event)) {
      if (externalId !== null) at(externalId, recordType);
      for (const keyHash of matchKeysOf(
        plan.tenantId,
        recordType,
        recordPlanOf(plan, recordType),
        fields,
      ))
        keys.push({ entityType: recordType, keyHash });
    }
  }
  return {
    tenantId: plan.tenantId,
    records,
    keys,
    origins: [...new Set(events.map(({ sourceId }) => sourceId))],
    withAllKeys: events.some(({ kind }) => kind === 'merged'),
  };
};
