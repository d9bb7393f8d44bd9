import { type Fields } from '@counterpart/sync-model';
import { ok, key, world, found, all } from '../testing/scripted-world.js';

describe('create with our own key', () => {
  const settings = { uniqueProperty: 'auto' };
  const acme = { marker: 'm-1', fields: { domain: 'acme.io', name: null } };

  it('upserts by it, so that sending again makes nothing again', async () => {
    const { adapter, calls } = world(
      [
        ok(key),
        ok(key),
        all([found('5', { domain: 'acme.io', counterpart_key: 'm-1' }, { new: false })]),
      ],
      settings,
    );
    expect(await adapter.create('company', [acme])).toEqual([
      {
        kind: 'confirmed',
        externalId: '5',
        stored: { domain: 'acme.io', name: null },
        versionToken: null,
        created: false,
      },
    ]);
    expect(calls[2]).toMatchObject({
      path: '/crm/v3/objects/companies/batch/upsert',
      sent: {
        inputs: [
          {
            id: 'm-1',
            idProperty: 'counterpart_key',
            properties: { domain: 'acme.io', counterpart_key: 'm-1' },
          },
        ],
      },
    });
  });

  it('probes by it, and by search for what it does not find', async () => {
    const { adapter, calls, scopes } = world(
      [
        ok(key),
        ok(key),
        all(
          [found('5', { counterpart_key: 'm-1', domain: 'acme.io' })],
          [{ category: 'OBJECT_NOT_FOUND', context: { ids: ['m-2'] } }],
        ),
        all([found('6', { domain: 'beta.io' })]),
      ],
      settings,
    );
    const items = ['acme.io', 'beta.io'].map((domain, n) => ({
      marker: `m-${n + 1}`,
      fields: { domain },
      externalId: null,
    }));
    expect(await adapter.probe('company', items)).toMatchObject([
      { kind: 'found', record: { externalId: '5' } },
      { kind: 'found', record: { externalId: '6' } },
    ]);
    expect(calls[3]?.sent).toMatchObject({
      filterGroups: [
        { filters: [{ propertyName: 'domain', operator: 'IN', values: ['beta.io'] }] },
      ],
    });
    expect(scopes[3]).toBe('search');
  });
});

describe('create that only search can find', () => {
  it('a meeting carries its marker where a search finds it', async () => {
    const { adapter, calls } = world([all([found('1')])]);
    await adapter.create('meeting', [{ marker: 'm-1', fields: { title: 'Hi' } }]);
    expect(calls[0]).toMatchObject({
      path: '/crm/v3/objects/meetings/batch/create',
      sent: {
        inputs: [
          {
            properties: { hs_meeting_title: 'Hi', hs_meeting_external_url: 'urn:counterpart:m-1' },
          },
        ],
      },
    });
    const probe = world([all([found('1', { hs_meeting_external_url: 'urn:counterpart:m-1' })])]);
    const items = [{ marker: 'm-1', fields: {}, externalId: null }];
    expect(await probe.adapter.probe('meeting', items)).toMatchObject([{ kind: 'found' }]);
    expect(probe.calls[0]?.path).toBe('/crm/v3/objects/meetings/search');
  });

  it('two companies of one domain are ambiguous, and a company without domain cannot be told', async () => {
    const { adapter } = world([
      all([found('1', { domain: 'acme.io' }), found('2', { domain: 'ACME.io' })]),
    ]);
    const of = (fields: Fields) => ({ marker: 'm', fields, externalId: null });
    expect(
      await adapter.probe('company', [of({ domain: 'acme.io' }), of({ domain: 'b.io' }), of({})]),
    ).toMatchObject([
      { kind: 'ambiguous', records: [{ externalId: '1' }, { externalId: '2' }] },
      { kind: 'absent' },
      { kind: 'unreadable', code: 'no-match-key' },
    ]);
    expect(await adapter.find('company', [of({})])).toEqual([{ kind: 'absent' }]);
  });

  it('a long question is asked in parts of 3000 characters and a hundred values', async () => {
    const { adapter, calls } = world([all([])]);
    const domains = Array.from(
      { length: 150 },
      (_, n) => `${'sub.'.repeat(10)}company-${n}.example`,
    );
    const found = await adapter.find(
      'company',
      domains.map((domain) => ({ marker: 'm', fields: { domain } })),
    );
    expect(found.every((result) => result.kind === 'absent')).toBe(true);
    expect(Math.max(...calls.map((call) => (call.body ?? '').length))).toBeLessThanOrEqual(3_000);
    const few = world([all([])]);
    await few.adapter.find(
      'company',
      Array.from({ length: 101 }, (_, n) => ({ marker: 'm', fields: { domain: `c${n}.io` } })),
    );
    expect(few.calls).toHaveLength(2);
  });

  it('all pages are read, and one that is missing makes the question unanswered', async () => {
    const page = ok({
      results: [found('1', { domain: 'acme.io' })],
      paging: { next: { after: '200' } },
    });
    const items = [{ marker: 'm', fields: { domain: 'acme.io' } }];
    const full = world([page, all([found('2', { domain: 'acme.io' })])]);
    expect(await full.adapter.find('company', items)).toMatchObject([{ kind: 'ambiguous' }]);
    expect(full.calls[1]?.sent).toMatchObject({ after: '200' });
    const torn = world([page, ok({ policyName: 'SECONDLY' }, 429)]);
    expect(await torn.adapter.find('company', items)).toEqual([
      { kind: 'unreadable', code: 'limit-secondly', retryAtMs: 1_001_000 },
    ]);
    const endless = world([page]);
    expect(await endless.adapter.find('company', items)).toMatchObject([
      { code: 'too-many-matches' },
    ]);
  });
});
