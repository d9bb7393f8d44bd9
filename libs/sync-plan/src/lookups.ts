import type { RecordMap } from '@counterpart/crm-port';
import type { FieldType, RecordType, SourceId } from '@counterpart/sync-model';
import { asSourceId } from '@counterpart/sync-model';
import { own } from './own.js';
import type { CrmSourcePlan, FieldOwner, RecordPlan, SourcePlan, SyncPlan } from './plan.js';

type Records = Pick<SyncPlan, 'records'>;

/** undefined when the plan has no such record type. */
export const recordPlanOf = (plan: Records, type: RecordType): RecordPlan | undefined =>
  own(plan.records, type);

/** undefined when the plan has no such source. */
export const sourcePlanOf = (plan: Pick<SyncPlan, 'sources'>, id: string): SourcePlan | undefined =>
  own(plan.sources, id);

/** undefined when the plan has no such field. */
export const ownerOf = (plan: Records, type: RecordType, field: string): FieldOwner | undefined =>
  fieldPlanOf(plan, type, field)?.owner;

/** undefined when the plan has no such field. */
export const fieldTypeOf = (
  plan: Records,
  type: RecordType,
  field: string,
): FieldType | undefined => fieldPlanOf(plan, type, field)?.fieldType;

function fieldPlanOf(plan: Records, type: RecordType, field: string) {
  const record = recordPlanOf(plan, type);
  return record && own(record.fields, field);
}

/** How a CRM source maps each of its record types; empty for the app, which speaks canonical names. */
export function recordMapsOf(plan: SyncPlan, sourceId: string): readonly RecordMap[] {
  const source = sourcePlanOf(plan, sourceId);
  return source?.kind === 'crm' ? crmRecordMaps(plan, source) : [];
}

/** The other CRM sources that map the record type: where a change from `originSource` must go. */
export function targetsOf(
  plan: Pick<SyncPlan, 'sources'>,
  originSource: string,
  recordType: RecordType,
): readonly SourceId[] {
  return Object.entries(plan.sources)
    .filter(
      ([id, source]) =>
        id !== originSource && source.kind === 'crm' && Object.hasOwn(source.records, recordType),
    )
    .map(([id]) => asSourceId(id));
}

export function crmRecordMaps(plan: Records, source: CrmSourcePlan): readonly RecordMap[] {
  return Object.entries(source.records).map(([recordType, map]) => ({
    recordType,
    objectName: map.objectName,
    matchFields: recordPlanOf(plan, recordType)?.match ?? [],
    fields: Object.entries(map.fields).flatMap(([field, property]) => {
      const fieldType = fieldTypeOf(plan, recordType, field);
      return fieldType ? [{ field, property, fieldType }] : [];
    }),
  }));
}
