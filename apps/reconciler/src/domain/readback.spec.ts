import { parseRecordKey, recordKey } from '@counterpart/sync-model';
import { findingOfProbe } from '@counterpart/crm-port';
import { newestOf } from './readback.js';
import { readbackEvent } from './readback-event.js';
import { aReadback, anUnknown } from '../testing/values.js';

const absent = findingOfProbe(aReadback(), { kind: 'not-made' });

test('the event speaks of the operation, not of a record', () => {
  const event = readbackEvent(aReadback(), absent, 20_000);
  expect(event).toMatchObject({ kind: 'readback', sourceId: 'crm', readback: absent, fields: {} });
  expect(parseRecordKey(recordKey(event))).toMatchObject({
    externalId: 'op:00000000-0000-0000-0000-0000000000a1',
  });
});

test('a finding names the statement it answers', () => {
  const { operationId } = aReadback();
  expect(findingOfProbe(aReadback({ operationVersion: 3 }), { kind: 'not-made' })).toEqual({
    operationId,
    operationVersion: 3,
    verdict: 'absent',
    externalId: null,
    stored: {},
  });
});

test('one probe has one key however often it is told; another probe has another', () => {
  const keyOf = (change: Parameters<typeof aReadback>[0], nowMs = 20_000) =>
    readbackEvent(aReadback(change), absent, nowMs).eventKey;
  expect(keyOf({}, 20_000)).toBe(keyOf({}, 99_000));
  const keys = [keyOf({}), keyOf({ attempts: 1 }), keyOf({ operationVersion: 2 })];
  expect(new Set(keys).size).toBe(3);
});

test('of several statements about one operation the newest counts', () => {
  const item = (operationVersion: number) => ({ value: anUnknown({ operationVersion }) });
  const newest = newestOf([item(1), item(3), item(2)]);
  expect(newest.map(({ value }) => value.operationVersion)).toEqual([3]);
});
