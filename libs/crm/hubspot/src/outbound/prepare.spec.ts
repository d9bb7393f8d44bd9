import type { HttpOutcome } from '@counterpart/crm-port';
import { ok, key, missing, world, item, type Answer } from '../testing/scripted-world.js';

describe('prepare', () => {
  const group = ok({ name: 'domain', groupName: 'companyinformation' });
  const auto = { uniqueProperty: 'auto' };
  const paths = async (answers: (Answer | HttpOutcome)[], settings: object = auto) => {
    const { adapter, calls } = world(answers, settings);
    const offered = await adapter.prepare();
    return { offered, calls: calls.map((call) => `${call.method} ${call.path}`), bodies: calls };
  };
  const company = (offered: Awaited<ReturnType<typeof paths>>['offered']) =>
    offered instanceof Map ? offered.get('company') : offered;

  it('never: no call, and what HubSpot enforces by itself', async () => {
    const { offered, calls } = await paths([], { uniqueProperty: 'never' });
    expect(calls).toEqual([]);
    expect(offered).toEqual(
      new Map([
        [
          'contact',
          {
            createPath: 'conflict-adopt',
            strongProbe: true,
            findBeforeCreate: false,
            batchMax: 100,
          },
        ],
        [
          'company',
          { createPath: 'search-only', strongProbe: false, findBeforeCreate: true, batchMax: 100 },
        ],
        [
          'meeting',
          { createPath: 'search-only', strongProbe: false, findBeforeCreate: false, batchMax: 100 },
        ],
      ]),
    );
  });

  it('finds our property', async () => {
    const { offered, calls } = await paths([ok(key)]);
    expect(company(offered)).toEqual({
      createPath: 'unique-upsert',
      strongProbe: true,
      findBeforeCreate: true,
      batchMax: 100,
    });
    expect(calls).toEqual([
      'GET /crm/v3/properties/companies/counterpart_key',
      'GET /crm/v3/properties/meetings/counterpart_key',
    ]);
  });

  it('makes our property in the group of a mapped one', async () => {
    const { offered, bodies } = await paths([missing, group, ok(key, 201), ok(key)]);
    expect(company(offered)).toMatchObject({ createPath: 'unique-upsert' });
    expect(bodies[2]).toMatchObject({
      method: 'POST',
      path: '/crm/v3/properties/companies',
      sent: {
        name: 'counterpart_key',
        groupName: 'companyinformation',
        hasUniqueValue: true,
        type: 'string',
        fieldType: 'text',
      },
    });
  });

  it('takes the property that somebody made in between', async () => {
    const { offered } = await paths([
      missing,
      group,
      ok({ category: 'OBJECT_ALREADY_EXISTS' }, 409),
      ok(key),
    ]);
    expect(company(offered)).toMatchObject({ createPath: 'unique-upsert' });
  });

  it.each<[string, (Answer | HttpOutcome)[]]>([
    ['it may not be read', [ok({ category: 'MISSING_SCOPES' }, 403)]],
    ['it may not be made', [missing, group, ok({ category: 'MISSING_SCOPES' }, 403), ok(key)]],
    [
      'there are ten unique properties',
      [missing, group, ok({ category: 'VALIDATION_ERROR' }, 400), ok(key)],
    ],
    ['its values are not unique', [ok({ name: 'counterpart_key', hasUniqueValue: false })]],
    ['the mapped property does not exist', [missing, missing, ok(key)]],
  ])('falls back to search when %s', async (_name, answers) => {
    expect(company((await paths(answers)).offered)).toMatchObject({ createPath: 'search-only' });
  });

  it.each<[string, (Answer | HttpOutcome)[], object]>([
    [
      'a limit',
      [ok({ policyName: 'SECONDLY' }, 429)],
      { code: 'limit-secondly', retryAtMs: 1_001_000 },
    ],
    ['a bad token', [ok({}, 401)], { code: 'credentials', retryAtMs: null }],
    ['no answer', [{ kind: 'unknown', code: 'reset' }], { code: 'reset', retryAtMs: null }],
    ['no connection', [{ kind: 'unsent', code: 'refused' }], { code: 'refused', retryAtMs: null }],
    ['an error of theirs', [missing, group, ok('', 500)], { code: 'http-500', retryAtMs: null }],
    ['a page of a proxy', [ok('<html>')], { code: 'no-verdict', retryAtMs: null }],
  ])('leaves the question open after %s', async (_name, answers, expected) => {
    expect((await paths(answers)).offered).toEqual(expected);
  });

  it('refuses a setting it does not know', async () => {
    expect((await paths([], { uniqueProperty: 'always' })).offered).toEqual({
      code: 'settings',
      retryAtMs: null,
    });
  });

  it('asks once, and again after a question that got no answer; nothing is created meanwhile', async () => {
    const { adapter, calls } = world([ok({}, 401), ok(key)], auto);
    expect(await adapter.create('company', [item(null)])).toEqual([
      { kind: 'unsent', code: 'credentials' },
    ]);
    await Promise.all([adapter.prepare(), adapter.prepare()]);
    await adapter.prepare();
    expect(calls).toHaveLength(3);
  });
});
