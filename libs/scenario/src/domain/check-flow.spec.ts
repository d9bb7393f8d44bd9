import {
  checkAnswers,
  checkCases,
  checkGate,
  checkMappings,
  checkMessages,
  checkOperations,
} from './check-flow.js';
import type { SeenOperation } from './evidence.js';

const operation = (operationId: string, outcome: SeenOperation['outcome']): SeenOperation => ({
  operationId,
  outcome,
  eventKey: operationId,
  recordType: 'contact',
  originSourceId: 'app',
  targetSourceId: 'crm',
  externalId: '1',
  attempts: 1,
});

test('operations by outcome, with what else there was', () => {
  const operations = [
    operation('a', 'applied'),
    operation('b', 'applied'),
    operation('c', 'stale'),
  ];
  expect(checkOperations({ outcome: 'applied', count: 1 }, operations)).toEqual({
    expected: '1 operations applied',
    measured: '2 (applied 2, stale 1)',
    ok: false,
  });
  expect(
    checkOperations({ outcome: ['applied', 'stale'], type: 'contact', count: 3 }, operations).ok,
  ).toBe(true);
  expect(checkOperations({ type: 'meeting', count: 0 }, operations).measured).toBe('0');
});

test('messages since a mark', () => {
  const messages = [1, 2, 3].map((position) => ({
    topic: 'entity-changes',
    position,
    value: { change: position === 2 ? 'created' : 'changed' },
  }));
  const marks = new Map([['m', { atMs: 0, callNumbers: {}, position: 1 }]]);
  const check = {
    topic: 'entity-changes' as const,
    where: { change: 'changed' },
    since: 'm',
    count: 1,
  };
  expect(checkMessages(check, messages, marks)).toEqual({
    expected: "1 on entity-changes, change changed, since 'm'",
    measured: '1',
    ok: true,
  });
});

test('mappings and their entities', () => {
  const mappings = [
    { sourceId: 'crm', recordType: 'contact', status: 'linked', entityId: 'e' },
    { sourceId: 'crm', recordType: 'contact', status: 'linked', entityId: 'e' },
    { sourceId: 'app', recordType: 'contact', status: 'linked', entityId: 'f' },
  ];
  expect(checkMappings({ source: 'crm', count: 2, entities: 1 }, mappings)).toEqual({
    expected: '2 mappings of 1 entities (sourceId crm)',
    measured: '2 mappings of 1 entities',
    ok: true,
  });
});

test('cases are open ones unless said otherwise', () => {
  const cases = [
    { state: 'open', class: 'conflict' },
    { state: 'closed', class: 'conflict' },
  ];
  expect(checkCases({ count: 0 }, cases)).toEqual({
    expected: '0 open cases',
    measured: '1 (conflict 1)',
    ok: false,
  });
});

test('gate outcomes and answers', () => {
  const decision = {
    eventKey: 'k',
    outcome: 'echo',
    sourceId: 'crm',
    recordType: 'contact',
    externalId: '1',
  };
  expect(checkGate({ outcome: 'echo', source: 'app', count: 0 }, [decision]).ok).toBe(true);
  expect(checkAnswers({ status: 202, count: { min: 2 } }, [202, 503])).toEqual({
    expected: 'at least 2 answers 202',
    measured: '1 (202 1, 503 1)',
    ok: false,
  });
});
