import type { ProbeResult } from '@counterpart/crm-port';
import { asExternalId, asOperationId, type Fields } from '@counterpart/sync-model';
import { judgeProbe } from './judge-probe.js';

const settleAtMs = 10_000;
const operationId = asOperationId('00000000-0000-0000-0000-000000000001');
const create = {
  operationId,
  action: 'create',
  settleAtMs,
  fields: { email: 'ann@acme.test' },
} as const;
const update = {
  operationId,
  action: 'update',
  settleAtMs,
  fields: { phone: '+15550001', note: null },
} as const;
const found = (stored: Fields): ProbeResult => ({
  kind: 'found',
  record: { externalId: asExternalId('101'), stored, versionToken: null, archived: false },
});
const verdict = (word: string, stored: Fields = {}, externalId: string | null = null) => ({
  kind: 'verdict',
  finding: { operationId, verdict: word, externalId, stored },
});

const before = settleAtMs - 1;
const after = settleAtMs;
const tooEarly = { kind: 'too-early', lookAgainAtMs: settleAtMs };

test.each<[string, typeof create | typeof update, ProbeResult, number, object]>([
  [
    'a created record found early',
    create,
    found({ email: 'ann@acme.test' }),
    before,
    verdict('found', { email: 'ann@acme.test' }, '101'),
  ],
  [
    'a created record that the CRM reformatted',
    create,
    found({ email: 'ANN' }),
    after,
    verdict('found', { email: 'ANN' }, '101'),
  ],
  ['no record, but it may still come', create, { kind: 'absent' }, before, tooEarly],
  ['no record after the settle time', create, { kind: 'absent' }, after, verdict('absent')],
  [
    'an update that is there',
    update,
    found({ phone: '+15550001' }),
    before,
    verdict('found', { phone: '+15550001' }, '101'),
  ],
  [
    'an update that is there, with the cleared field as null',
    update,
    found({ phone: '+15550001', note: null }),
    after,
    verdict('found', { phone: '+15550001', note: null }, '101'),
  ],
  ['an update that is not there yet', update, found({ phone: 'old' }), before, tooEarly],
  [
    'an update that is not there after the settle time',
    update,
    found({ phone: 'old' }),
    after,
    verdict('absent'),
  ],
  [
    'an update of which one field is missing',
    update,
    found({ phone: '+15550001', note: 'x' }),
    after,
    verdict('absent'),
  ],
  ['an update of a record that is gone', update, { kind: 'absent' }, after, verdict('absent')],
  ['several records', create, { kind: 'ambiguous', records: [] }, before, verdict('ambiguous')],
])('%s', (_what, readback, result, probedAtMs, expected) => {
  expect(judgeProbe(readback, result, probedAtMs)).toEqual(expected);
});

test('what could not be read is no verdict', () => {
  const result = { kind: 'unreadable', code: 'rate-limit', retryAtMs: 12_000 } as const;
  expect(judgeProbe(create, result, after)).toEqual(result);
});
