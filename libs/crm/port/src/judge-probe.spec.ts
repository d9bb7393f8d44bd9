import { asExternalId, type Fields } from '@counterpart/sync-model';
import { judgeProbe, type UncertainWrite } from './judge-probe.js';
import type { FoundRecord, ProbeResult } from './reads.js';

const settleAtMs = 10_000;
const create: UncertainWrite = { action: 'create', settleAtMs, fields: { email: 'ann@acme.test' } };
const update: UncertainWrite = {
  action: 'update',
  settleAtMs,
  fields: { phone: '+15550001', note: null },
};
const record = (stored: Fields): FoundRecord => ({
  externalId: asExternalId('101'),
  stored,
  versionToken: null,
  archived: false,
});
const holding = (stored: Fields): ProbeResult => ({ kind: 'found', record: record(stored) });
const made = (stored: Fields) => ({ kind: 'made', record: record(stored) });

const absent: ProbeResult = { kind: 'absent' };
const before = settleAtMs - 1;
const after = settleAtMs;
const tooEarly = { kind: 'too-early', lookAgainAtMs: settleAtMs };
const notMade = { kind: 'not-made' };
const email = { email: 'ann@acme.test' };
const phone = { phone: '+15550001' };
const unreadable: ProbeResult = { kind: 'unreadable', code: 'rate-limit', retryAtMs: 12_000 };

test.each<[string, UncertainWrite, ProbeResult, number, object]>([
  ['a created record found early', create, holding(email), before, made(email)],
  [
    'a created record reformatted',
    create,
    holding({ email: 'ANN' }),
    after,
    made({ email: 'ANN' }),
  ],
  ['no record, but it may still come', create, absent, before, tooEarly],
  ['no record after the settle time', create, absent, after, notMade],
  ['an update seems made, but may still land', update, holding(phone), before, tooEarly],
  ['an update that is there', update, holding(phone), after, made(phone)],
  [
    'an update that is there, its cleared field as null',
    update,
    holding({ ...phone, note: null }),
    after,
    made({ ...phone, note: null }),
  ],
  ['an update not there yet', update, holding({ phone: 'old' }), before, tooEarly],
  ['an update not there after it', update, holding({ phone: 'old' }), after, notMade],
  ['one field of it missing', update, holding({ ...phone, note: 'x' }), after, notMade],
  ['an update of a record that is gone', update, absent, after, notMade],
  ['several records', create, { kind: 'ambiguous', records: [] }, before, { kind: 'ambiguous' }],
  ['what could not be read', create, unreadable, after, unreadable],
])('%s', (_what, write, result, probedAtMs, expected) => {
  expect(judgeProbe(write, result, probedAtMs)).toEqual(expected);
});
