import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingStations, spansOf, traceText } from '../lib/trace-check.mjs';

const span = (spanID, processID, operationName, parent, startTime) => ({
  spanID,
  processID,
  operationName,
  startTime,
  duration: 1500,
  references: parent ? [{ refType: 'CHILD_OF', spanID: parent }] : [],
});

const trace = {
  processes: {
    p1: { serviceName: 'ingest' },
    p2: { serviceName: 'dedupe' },
    p3: { serviceName: 'sync-writer' },
  },
  spans: [
    span('d', 'p3', 'crm.call', 'c', 4),
    span('a', 'p1', 'POST /v1/tenants/:tenantId', undefined, 1),
    span('c', 'p3', 'settle lanes', 'b', 3),
    span('b', 'p2', 'decide', 'a', 2),
  ],
};

test('a change that was followed all the way misses no station', () => {
  const spans = spansOf(trace);
  assert.deepEqual(missingStations(spans), []);
  assert.deepEqual(
    spans.map(({ id, depth }) => [id, depth]),
    [
      ['a', 0],
      ['b', 1],
      ['c', 2],
      ['d', 3],
    ],
  );
  assert.match(traceText(spans), /^ingest {7}POST .* 1\.5 ms\n {2}dedupe/);
});

test('a trace that breaks off names what is missing', () => {
  const broken = { ...trace, spans: trace.spans.filter(({ spanID }) => spanID !== 'd') };
  assert.deepEqual(missingStations(spansOf(broken)), ['sync-writer: crm.call']);
});
