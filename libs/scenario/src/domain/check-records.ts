import type { RecordsCheck } from '../format/scenario.js';
import type { CrmRecord } from './evidence.js';
import { conditionText, countOk, countText, holds } from './matching.js';
import type { Finding } from './verdict.js';

/** Counts the records a check speaks of and compares what each holds and is linked with. */
export function checkRecords(check: RecordsCheck, records: readonly CrmRecord[]): Finding {
  const found = records.filter((record) => holds(check.where ?? {}, record.properties));
  const count = check.count ?? { min: 1 };
  const wrong = found.flatMap((record) => faultsOf(check, record));
  return {
    expected: expectedText(check),
    measured: [`${found.length} ${check.type}`, ...new Set(wrong)].slice(0, 4).join('; '),
    ok: countOk(count, found.length) && wrong.length === 0,
  };
}

function expectedText(check: RecordsCheck): string {
  const state = check.archived === true ? 'archived ' : '';
  const parts = [`${countText(check.count ?? { min: 1 })} ${state}${check.type}`];
  if (check.where) parts.push(`with ${conditionText(check.where)}`);
  if (check.properties) parts.push(conditionText(check.properties));
  for (const [type, count] of Object.entries(check.associations ?? {}))
    parts.push(`${countText(count)} ${type} each`);
  return parts.join('; ');
}

function faultsOf(check: RecordsCheck, record: CrmRecord): readonly string[] {
  const faults: string[] = [];
  for (const [property, want] of Object.entries(check.properties ?? {}))
    if (!holds({ [property]: want }, record.properties))
      faults.push(`${property} ${record.properties[property] ?? '(empty)'}`);
  for (const [type, count] of Object.entries(check.associations ?? {})) {
    const linked = linkedCount(record, type);
    if (!countOk(count, linked)) faults.push(`${linked} ${type}`);
  }
  return faults;
}

/** How many different records of a type; several kinds of link to one record count once. */
const linkedCount = (record: CrmRecord, type: string): number =>
  new Set(record.associations.filter(({ toType }) => toType === type).map(({ toId }) => toId)).size;
