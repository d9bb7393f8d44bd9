import type { SyncResult } from '@counterpart/sync-model';
import type { Finding } from '../domain/finding.js';
import { aDeadLetter, aResult, anUnknown } from '../testing/values.js';
import {
  followDeadLetters,
  followResults,
  keepUnknownOperations,
  type Decoded,
} from './follow-topics.js';
import type { Outgoing } from './ports.js';

const place = {
  topic: 'counterpart.sync-results.v1',
  partition: 3,
  offset: '41',
  key: 'acme\u001fe1',
};
const unreadable: Decoded<never> = {
  ok: false,
  place,
  code: 'avro-magic',
  detail: 'no magic byte',
};
const readable = <Value>(value: Value): Decoded<Value> => ({ ok: true, value, traceparent: null });

function world() {
  const kept: { results: SyncResult[]; findings: Finding[]; parked: Outgoing[]; unknowns: number } =
    {
      results: [],
      findings: [],
      parked: [],
      unknowns: 0,
    };
  const ports: Parameters<typeof followResults>[1] = {
    clock: { nowMs: () => 7_000, monotonicMs: () => 0 },
    readbacks: {
      keep: (received, parked) => {
        kept.unknowns += received.length;
        kept.parked.push(...parked);
        return Promise.resolve();
      },
      takeDue: () => Promise.resolve([]),
      end: () => Promise.resolve(),
    },
    cases: {
      followResults: (results, parked) => {
        kept.results.push(...results);
        kept.parked.push(...parked);
        return Promise.resolve();
      },
      keepFindings: (findings) => {
        kept.findings.push(...findings);
        return Promise.resolve();
      },
    },
  };
  return { kept, ports };
}

test('a message that cannot be read is parked once, its neighbours are followed', async () => {
  const { kept, ports } = world();
  await followResults([readable(aResult()), unreadable, readable(aResult())], ports);
  await followResults([unreadable], ports);
  await keepUnknownOperations([unreadable, readable(anUnknown())], ports);
  expect(kept.results).toHaveLength(2);
  expect(kept.unknowns).toBe(1);
  expect(kept.parked[0]).toMatchObject({
    topic: 'counterpart.dead-letters.v1',
    value: {
      tenantId: 'acme',
      code: 'avro-magic',
      evidenceRef: 'kafka:counterpart.sync-results.v1/3/41',
      occurredAtMs: 7_000,
    },
  });
  expect(
    new Set(kept.parked.map(({ value }) => ('messageId' in value ? value.messageId : ''))).size,
  ).toBe(1);
});

test('a dead letter that cannot be read is a case itself, or it would come back for ever', async () => {
  const { kept, ports } = world();
  await followDeadLetters([unreadable, readable(aDeadLetter())], ports);
  expect(kept.parked).toEqual([]);
  expect(kept.findings).toMatchObject([
    { kind: 'unsettled', code: 'avro-magic', caseClass: 'processing-failure' },
    { kind: 'unsettled', code: 'event-key-other-payload', caseClass: 'conflict' },
  ]);
});
