import type { RecordsCheck } from '../format/checks.js';
import type { CrmRecord } from './evidence.js';
import { conditionText, countOk, countText, holds } from './matching.js';
import type { Finding } from './verdict.js';

/** Counts the records a check speaks of and compares what each holds and is linked with. */
export function checkRecords(check: RecordsCheck, records: readonly CrmRecord[]): Finding {
  const found = records.filter((record) => holds(check.where ?? {}, record.properties));
  const count = check.count ?? { min: 1 };
  return {
    expected: expectedText(check),
    measured: measuredText(check, found),
    ok: countOk(count, found.length) && found.every((record) => isAsWanted(check, record)),
  };
}

function isAsWanted(check: RecordsCheck, record: CrmRecord): boolean {
  return (
    holds(check.properties ?? {}, record.properties) &&
    linkTypes(check).every(([type, count]) => countOk(count, linkedCount(record, type)))
  );
}

function expectedText(check: RecordsCheck): string {
  const count = check.count ?? { min: 1 };
  const state = check.archived === true ? 'archived ' : '';
  const parts = [`${countText(count)} ${state}${noun(check.type, count === 1)}`];
  if (check.where) parts.push(`with ${conditionText(check.where)}`);
  if (check.properties) parts.push(conditionText(check.properties));
  for (const [type, linked] of linkTypes(check))
    parts.push(`${countText(linked)} ${noun(type, linked === 1)} each`);
  return parts.join('; ');
}

/** The same words about what was found, so that the two cells of a table can be compared. */
function measuredText(check: RecordsCheck, found: readonly CrmRecord[]): string {
  const parts = [`${found.length} ${noun(check.type, found.length === 1)}`];
  if (found.length === 0) return parts.join('');
  for (const property of Object.keys(check.properties ?? {})) {
    const values = [...new Set(found.map((record) => record.properties[property] ?? '(empty)'))];
    const more = values.length > 3 ? ', …' : '';
    parts.push(`${property} ${values.slice(0, 3).join(', ')}${more}`);
  }
  for (const [type] of linkTypes(check)) {
    const counts = found.map((record) => linkedCount(record, type));
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    const text = least === most ? String(least) : `${least} to ${most}`;
    parts.push(`${text} ${noun(type, most === 1)} each`);
  }
  return parts.join('; ');
}

const linkTypes = (check: RecordsCheck) => Object.entries(check.associations ?? {});

/** How many different records of a type; several kinds of link to one record count once. */
const linkedCount = (record: CrmRecord, type: string): number =>
  new Set(record.associations.filter(({ toType }) => toType === type).map(({ toId }) => toId)).size;

/** A CRM's own word for its records, as it reads after a number: `1 company`, `2 companies`. */
const noun = (type: string, isOne: boolean): string =>
  isOne ? type.replace(/ies$/, 'y').replace(/s$/, '') : type;
