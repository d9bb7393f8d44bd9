import { checkConnection, checkEndpoints } from './check-connection.js';
import { entriesOf, memberOf } from './own.js';
import type { ShapeFault } from './shape-faults.js';

export interface PlanPermissions {
  /** Providers this build has an adapter for, `app` included. */
  readonly knownProviders: readonly string[];
  /** Development only: sources may set `allowPrivateAddress`. */
  readonly allowPrivateAddresses: boolean;
}

export type Report = (path: ShapeFault['path'], code: string, message: string) => void;

/**
 * What only shows when two places of a plan are held side by side. Reads the plan as written, so
 * that one broken line does not hide the faults of the others; what has the wrong shape is skipped
 * here and reported by the schema.
 */
export function checkPlan(raw: unknown, permissions: PlanPermissions): readonly ShapeFault[] {
  const faults: ShapeFault[] = [];
  const report: Report = (path, code, message) => faults.push({ path, code, message });
  checkNames(raw, report);
  checkRecords(raw, report);
  for (const [id, source] of entriesOf(memberOf(raw, 'sources'))) {
    checkProvider(id, source, permissions.knownProviders, report);
    checkMaps(raw, id, source, report);
    checkConnection(id, source, permissions, report);
  }
  checkEndpoints(raw, report);
  return faults;
}

function checkNames(raw: unknown, report: Report): void {
  const refuse = (path: ShapeFault['path'], name: string) => {
    if (name in {}) report([...path, name], 'bad-name', `${name} is a word of the language`);
  };
  for (const [type, record] of entriesOf(memberOf(raw, 'records'))) {
    refuse(['records'], type);
    for (const [field] of entriesOf(memberOf(record, 'fields')))
      refuse(['records', type, 'fields'], field);
  }
  for (const [id] of entriesOf(memberOf(raw, 'sources'))) {
    refuse(['sources'], id);
    if (id === 'last-change' || id === 'review')
      report(['sources', id], 'bad-name', `${id} is a way to own a field, not a source`);
  }
}

function checkRecords(raw: unknown, report: Report): void {
  for (const [type, record] of entriesOf(memberOf(raw, 'records'))) {
    const fields = memberOf(record, 'fields');
    checkMatch(type, memberOf(record, 'match'), fields, report);
    for (const [field, plan] of entriesOf(fields)) checkOwner(raw, type, field, plan, report);
  }
}

function checkMatch(type: string, match: unknown, fields: unknown, report: Report): void {
  if (!Array.isArray(match)) return;
  match.forEach((field: unknown, index) => {
    if (typeof field !== 'string') return;
    const path = ['records', type, 'match', index];
    if (memberOf(fields, field) === undefined)
      report(path, 'unknown-field', `${field} is not a field of ${type}`);
    if (match.indexOf(field) !== index) report(path, 'duplicate-key', `${field} is named twice`);
  });
}

function checkOwner(
  raw: unknown,
  type: string,
  field: string,
  plan: unknown,
  report: Report,
): void {
  const owner = memberOf(plan, 'owner');
  if (typeof owner !== 'string' || owner === 'last-change' || owner === 'review') return;
  const path = ['records', type, 'fields', field, 'owner'];
  const source = memberOf(memberOf(raw, 'sources'), owner);
  if (source === undefined)
    return report(path, 'unknown-owner', `${owner} is no source, nor last-change or review`);
  const map = memberOf(memberOf(source, 'records'), type);
  const mapped =
    memberOf(source, 'provider') === 'app' ||
    memberOf(memberOf(map, 'fields'), field) !== undefined;
  if (map === undefined || !mapped)
    report(path, 'owner-not-mapped', `${owner} owns the field but does not map ${type}.${field}`);
}

function checkProvider(
  id: string,
  source: unknown,
  known: readonly string[],
  report: Report,
): void {
  const provider = memberOf(source, 'provider');
  if (typeof provider === 'string' && !known.includes(provider))
    report(
      ['sources', id, 'provider'],
      'unknown-provider',
      `no adapter for ${provider}; known: ${known.join(', ')}`,
    );
}

/** A source's maps against the declared records. */
function checkMaps(raw: unknown, id: string, source: unknown, report: Report): void {
  for (const [type, map] of entriesOf(memberOf(source, 'records'))) {
    const path = ['sources', id, 'records', type];
    const record = memberOf(memberOf(raw, 'records'), type);
    if (record === undefined)
      report(path, 'unknown-record-type', `${type} is not declared under records`);
    else if (memberOf(source, 'provider') !== 'app') checkMap(path, record, map, report);
  }
}

function checkMap(path: readonly string[], record: unknown, map: unknown, report: Report): void {
  const declared = memberOf(record, 'fields');
  const mapped = memberOf(map, 'fields');
  const byProperty = new Map<unknown, string>();
  for (const [field, property] of entriesOf(mapped)) {
    const at = [...path, 'fields', field];
    if (memberOf(declared, field) === undefined)
      report(at, 'unknown-field', `${field} is not declared under records`);
    const other = byProperty.get(property);
    if (other !== undefined)
      report(at, 'duplicate-property', `${String(property)} already holds ${other}`);
    byProperty.set(property, field);
  }
  const match = memberOf(record, 'match');
  for (const field of Array.isArray(match) ? match : [])
    if (typeof field === 'string' && memberOf(mapped, field) === undefined)
      report(
        [...path, 'fields'],
        'unmapped-match-field',
        `${field} identifies the record and must be mapped`,
      );
}
