import {
  asEntityId,
  asEventKey,
  asFingerprint,
  asOperationId,
  asTenantId,
  hash128,
  recordKey,
  type Relation,
  type SourceEvent,
  type SyncResult,
  type WriteMemory,
} from '@counterpart/sync-model';
import { parkedMessage } from './dead-letter.js';
import { faultOfEvent, faultOfResult, faultOfWriteMemory } from './event-check.js';
import { anEvent } from './testing-events.js';

const relation = (parts: Partial<Relation> = {}): Relation => ({
  role: 'attendee',
  recordType: 'contact',
  externalId: null,
  fields: {},
  relations: [],
  ...parts,
});
const nested = (depth: number): readonly Relation[] =>
  depth === 0 ? [] : [relation({ relations: nested(depth - 1) })];
/** The fingerprint is given: some of these have none. */
const strange = (parts: Partial<SourceEvent>): SourceEvent => ({ ...anEvent(), ...parts });

describe('an event that the database or a hash would refuse', () => {
  test.each<[string, SourceEvent, string | undefined]>([
    ['sound', anEvent({ fields: { a: 1 }, relations: nested(8) }), undefined],
    ['empty tenant', strange({ tenantId: asTenantId('') }), 'id-unstorable'],
    ['NUL in an id', strange({ recordType: 'a\0' }), 'id-unstorable'],
    ['half a surrogate pair', strange({ recordType: 'a\udc00' }), 'id-unstorable'],
    ['512 bytes', strange({ recordType: 'é'.repeat(256) }), undefined],
    ['513 bytes', strange({ recordType: `${'é'.repeat(256)}a` }), 'id-unstorable'],
    ['key is no uuid', strange({ eventKey: asEventKey('1') }), 'id-unstorable'],
    ['marker with NUL', strange({ originDetail: 'a\0' }), 'id-unstorable'],
    ['empty field name', strange({ fields: { '': 1 } }), 'field-name-unstorable'],
    ['NaN', strange({ fields: { a: Number.NaN } }), 'value-unusable'],
    [
      'infinity at an attendee',
      strange({ relations: [relation({ fields: { a: Infinity } })] }),
      'value-unusable',
    ],
    ['nine levels of records', strange({ relations: nested(9) }), 'too-deep'],
  ])('%s', (_name, event, fault) => expect(faultOfEvent(event, recordKey(event))).toBe(fault));

  test('under the key of another record', () =>
    expect(faultOfEvent(anEvent(), 'another')).toBe('key-mismatch'));
});

describe('a report of the writer', () => {
  const sound: WriteMemory = {
    ...anEvent(),
    operationId: asOperationId(hash128('op')),
    kind: 'written',
    fields: { a: asFingerprint(hash128('a')) },
    writtenAtMs: 1,
  };
  test.each<[string, Partial<WriteMemory>, string | undefined]>([
    ['sound', {}, undefined],
    ['operation is no uuid', { operationId: asOperationId('1') }, 'id-unstorable'],
    ['print is no uuid', { fields: { a: asFingerprint('1') } }, 'field-name-unstorable'],
    [
      'NUL in a field name',
      { fields: { 'a\0': asFingerprint(hash128('a')) } },
      'field-name-unstorable',
    ],
  ])('%s', (_name, parts, fault) =>
    expect(faultOfWriteMemory({ ...sound, ...parts }, recordKey(sound))).toBe(fault),
  );
  test('under the key of another record', () =>
    expect(faultOfWriteMemory(sound, 'another')).toBe('key-mismatch'));
});

describe('a result', () => {
  const sound: SyncResult = {
    messageId: hash128('m'),
    tenantId: asTenantId('acme'),
    entityId: asEntityId(hash128('e')),
    entityType: 'contact',
    operationId: asOperationId(hash128('op')),
    operationVersion: 1,
    eventKey: anEvent().eventKey,
    originSourceId: anEvent().sourceId,
    targetSourceId: anEvent().sourceId,
    recordType: 'contact',
    externalId: null,
    outcome: 'applied',
    reason: '',
    evidence: 'none',
    attempts: 1,
    occurredAtMs: 1,
  };
  test.each<[string, Partial<SyncResult>, string | undefined]>([
    ['sound', {}, undefined],
    ['event key is no uuid', { eventKey: asEventKey('1') }, 'id-unstorable'],
    ['operation is no uuid', { operationId: asOperationId('1') }, 'id-unstorable'],
    ['NUL in the reason', { reason: 'a\0' }, 'id-unstorable'],
  ])('%s', (_name, parts, fault) => expect(faultOfResult({ ...sound, ...parts })).toBe(fault));
});

test.each([
  ['acme', 'acme'],
  [undefined, ''],
  ['a\0', ''],
  ['x'.repeat(600), ''],
])('a note names the tenant %j as %j', (tenantId, told) => {
  const note = parkedMessage({ place: 'kafka:t/0/1', tenantId }, { code: 'c', detail: 'd' }, 7);
  expect(note).toMatchObject({ tenantId: told, code: 'c', evidenceRef: 'kafka:t/0/1' });
});
