import { asExternalId, type Fields } from '@counterpart/sync-model';
import { ok, world, found, all } from '../testing/scripted-world.js';

describe('update', () => {
  const change = (id: string, fields: Fields = { firstName: null }) => ({
    externalId: asExternalId(id),
    fields,
    expectedVersion: null,
  });

  it('sends only what changes and reads back what was stored', async () => {
    const { adapter, calls } = world([all([found('1', { firstname: '', email: 'a@x.io' })])]);
    expect(await adapter.update('contact', [change('1')])).toMatchObject([
      {
        kind: 'confirmed',
        externalId: '1',
        stored: { firstName: null, email: 'a@x.io' },
        created: false,
      },
    ]);
    expect(calls[0]?.sent.inputs).toEqual([
      { id: '1', properties: { firstname: '' }, objectWriteTraceId: '0' },
    ]);
  });

  it.each([
    ['trace id', { objectWriteTraceId: ['1'] }],
    ['record id', { ids: ['2'] }],
  ])('a missing record is named by %s', async (_name, context) => {
    const { adapter } = world([all([found('1')], [{ category: 'OBJECT_NOT_FOUND', context }])]);
    expect(await adapter.update('contact', [change('1'), change('2')])).toMatchObject([
      { kind: 'confirmed' },
      { kind: 'refused', code: 'not-found' },
    ]);
  });

  it('the survivor of a merge answers with its own id', async () => {
    const { adapter } = world([all([found('9', {}, { objectWriteTraceId: '0' })]), all([])]);
    expect(await adapter.update('contact', [change('1'), change('2')])).toMatchObject([
      { kind: 'confirmed', externalId: '9' },
      { kind: 'unknown', code: 'no-verdict' },
    ]);
  });

  it("another call's result is not this one's", async () => {
    const { adapter } = world([all([found('1', {}, { objectWriteTraceId: '5' })])]);
    expect(await adapter.update('contact', [change('1')])).toMatchObject([{ kind: 'unknown' }]);
  });

  it('two changes of one record keep their order', async () => {
    const { adapter, calls } = world([all([found('1')])]);
    await adapter.update('contact', [
      change('1', { firstName: 'A' }),
      change('1', { firstName: 'B' }),
    ]);
    expect(calls.map((call) => call.sent.inputs[0]?.properties['firstname'])).toEqual(['A', 'B']);
  });

  it('what an answer leaves open is sent again by itself; after no answer nothing is', async () => {
    const unnamed = { category: 'VALIDATION_ERROR', context: {} };
    const { adapter, calls } = world([
      all([found('1')], [unnamed]),
      all([found('2')]),
      all([], [unnamed]),
    ]);
    expect(
      await adapter.update(
        'contact',
        ['1', '2', '3'].map((id) => change(id)),
      ),
    ).toMatchObject([
      { kind: 'confirmed' },
      { kind: 'confirmed' },
      { kind: 'refused', code: 'invalid' },
    ]);
    expect(calls).toHaveLength(3);
    const quiet = world([ok('')]);
    await quiet.adapter.update(
      'contact',
      ['1', '2', '3'].map((id) => change(id)),
    );
    expect(quiet.calls).toHaveLength(1);
  });
});

describe('associate', () => {
  const pair = (fromId: string, toId: string, toType = 'contact') => ({
    fromType: 'meeting',
    fromId: asExternalId(fromId),
    toType,
    toId: asExternalId(toId),
  });
  const made = (from: string, to: string) => ({
    from: { id: from },
    to: { id: to },
    associationSpec: {},
  });

  it('one call for each pair of types, each pair once, reverse entries not counted', async () => {
    const { adapter, calls } = world([
      all([made('7', '1'), made('1', '7')]),
      all([made('1', '5')]),
    ]);
    const results = await adapter.associate([
      pair('1', '7'),
      pair('1', '5', 'company'),
      pair('1', '7'),
      pair('1', '1', 'deal'),
    ]);
    expect(calls.map((call) => call.path)).toEqual([
      '/crm/v4/associations/meetings/contacts/batch/associate/default',
      '/crm/v4/associations/meetings/companies/batch/associate/default',
    ]);
    expect(calls[0]?.sent.inputs).toEqual([{ from: { id: '1' }, to: { id: '7' } }]);
    expect(results.map((result) => result.kind)).toEqual([
      'confirmed',
      'confirmed',
      'confirmed',
      'refused',
    ]);
  });

  it('the other direction is another association', async () => {
    const { adapter } = world([all([made('7', '1'), made('1', '8')]), all([])]);
    const results = await adapter.associate([pair('1', '7'), pair('1', '8')]);
    expect(results.map((result) => result.kind)).toEqual(['unknown', 'confirmed']);
  });

  it('a pair with a merged record comes back as its survivor', async () => {
    const { adapter } = world([all([made('1', '7')]), all([made('1', '9'), made('9', '1')])]);
    const results = await adapter.associate([pair('1', '7'), pair('1', '8')]);
    expect(results.map((result) => result.kind)).toEqual(['confirmed', 'confirmed']);
  });

  it('a pair the answer does not hold is not associated', async () => {
    const { adapter } = world([all([made('1', '7')]), all([])]);
    expect(await adapter.associate([pair('1', '7'), pair('1', '8')])).toMatchObject([
      { kind: 'confirmed', externalId: '1', stored: {}, created: null },
      { kind: 'unknown', code: 'no-verdict' },
    ]);
  });
});
