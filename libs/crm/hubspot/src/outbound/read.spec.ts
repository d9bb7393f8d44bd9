import type { HttpOutcome } from '@counterpart/crm-port';
import { asExternalId } from '@counterpart/sync-model';
import { ok, missing, world, item, found, all } from '../testing/scripted-world.js';

describe('read', () => {
  const ids = (...list: string[]) => list.map(asExternalId);
  const gone = (...list: string[]) => ({ category: 'OBJECT_NOT_FOUND', context: { ids: list } });

  it('live, archived, merged away and absent, in the order asked for', async () => {
    const { adapter, calls } = world([
      all(
        [
          found('9', { firstname: 'Ada', hs_merged_object_ids: '3;4' }),
          found('1', { firstname: 'Bea' }),
        ],
        [gone('2', '5')],
      ),
      all([found('2', { firstname: 'Cyd' })], [gone('5')]),
    ]);
    expect(await adapter.read('contact', ids('1', '2', '3', '5'))).toMatchObject([
      {
        kind: 'found',
        record: {
          externalId: '1',
          stored: { firstName: 'Bea' },
          archived: false,
          versionToken: null,
        },
      },
      { kind: 'found', record: { externalId: '2', archived: true } },
      { kind: 'found', record: { externalId: '9', stored: { firstName: 'Ada' }, archived: false } },
      { kind: 'absent' },
    ]);
    expect(calls.map((call) => call.path)).toEqual([
      '/crm/v3/objects/contacts/batch/read?archived=false',
      '/crm/v3/objects/contacts/batch/read?archived=true',
    ]);
  });

  it('an id the batch is silent on is asked for by itself', async () => {
    const { adapter, calls } = world([
      all([]),
      ok(found('9', { firstname: 'Ada' })),
      missing,
      missing,
    ]);
    expect(await adapter.read('contact', ids('1', '2'))).toMatchObject([
      { kind: 'found', record: { externalId: '9' } },
      { kind: 'absent' },
    ]);
    expect(calls[1]).toMatchObject({ method: 'GET' });
    expect(calls[1]?.path).toMatch(
      /^\/crm\/v3\/objects\/contacts\/1\?properties=email%2Cfirstname/,
    );
  });

  it.each<[string, HttpOutcome, object]>([
    [
      'a limit',
      ok({ policyName: 'SECONDLY' }, 429),
      { code: 'limit-secondly', retryAtMs: 1_001_000 },
    ],
    ['a bad token', ok({}, 401), { code: 'credentials', retryAtMs: null }],
    ['no answer', { kind: 'unknown', code: 'deadline' }, { code: 'deadline', retryAtMs: null }],
    ['an error of theirs', ok('', 500), { code: 'http-500', retryAtMs: null }],
    ['an empty body', ok(''), { code: 'no-verdict', retryAtMs: null }],
    ['a body without results', ok({}), { code: 'no-verdict', retryAtMs: null }],
    ['a proxy that knows no such page', ok('<html>', 404), { code: 'invalid', retryAtMs: null }],
  ])('%s is never absence', async (_name, answer, expected) => {
    const { adapter } = world([answer]);
    expect(await adapter.read('contact', ids('1'))).toEqual([{ kind: 'unreadable', ...expected }]);
  });

  it('another error about an id is not absence', async () => {
    const error = { category: 'INTERNAL_ERROR', context: { ids: ['1'] } };
    const { adapter, calls } = world([all([], [error]), ok('', 500)]);
    expect(await adapter.read('contact', ids('1'))).toMatchObject([
      { kind: 'unreadable', code: 'http-500' },
    ]);
    expect(calls.map((call) => call.method)).toEqual(['POST', 'GET']);
  });

  it('what an answer calls archived is archived', async () => {
    const { adapter } = world([all([found('1', {}, { archived: true })])]);
    expect(await adapter.read('contact', ids('1'))).toMatchObject([{ record: { archived: true } }]);
  });

  it('contacts are found and probed by address, without search', async () => {
    const { adapter, scopes } = world([all([found('1', { email: 'a@x.io' })], [gone('b@x.io')])]);
    const items = [item('a@x.io'), item('b@x.io'), item(null)];
    expect(await adapter.find('contact', items)).toMatchObject([
      { kind: 'found' },
      { kind: 'absent' },
      { kind: 'absent' },
    ]);
    expect(
      await adapter.probe(
        'contact',
        items.map((it) => ({ ...it, externalId: null })),
      ),
    ).toMatchObject([
      { kind: 'found', record: { externalId: '1' } },
      { kind: 'absent' },
      { kind: 'unreadable', code: 'no-match-key' },
    ]);
    expect(scopes).toEqual(['call', 'call']);
  });

  it('an update is probed by its record', async () => {
    const { adapter } = world([all([found('1', { firstname: 'Ada' })])]);
    const probe = { marker: 'm', fields: { firstName: 'Ada' }, externalId: asExternalId('1') };
    expect(await adapter.probe('contact', [probe])).toMatchObject([
      { kind: 'found', record: { stored: { firstName: 'Ada' } } },
    ]);
  });
});
