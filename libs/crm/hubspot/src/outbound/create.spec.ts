import type { HttpOutcome } from '@counterpart/crm-port';
import { asExternalId } from '@counterpart/sync-model';
import { ok, world, item, found, all, conflict, type Call } from '../testing/scripted-world.js';

describe('what is sent', () => {
  it('one batch call with token, deadline and trace ids', async () => {
    const { adapter, calls, scopes } = world([all([found('1', { email: 'a@x.io' })])]);
    await adapter.create('contact', [item('a@x.io')]);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      method: 'POST',
      path: '/crm/v3/objects/contacts/batch/create',
      headers: { authorization: 'Bearer token-1', 'content-type': 'application/json' },
      deadlineMs: 1_010_000,
      allowPrivateAddress: false,
      sent: { inputs: [{ properties: { email: 'a@x.io' }, objectWriteTraceId: '0' }] },
    });
    expect(scopes).toEqual(['call']);
  });

  it('at most a hundred inputs a call', async () => {
    const { adapter, calls } = world([
      (call) => all(call.sent.inputs.map((input, n) => found(`${n}`, input.properties))),
    ]);
    const items = Array.from({ length: 201 }, (_, n) => item(`p${n}@x.io`));
    const results = await adapter.create('contact', items);
    expect(calls.map((call) => call.sent.inputs.length)).toEqual([100, 100, 1]);
    expect(results.every((result) => result.kind === 'confirmed')).toBe(true);
  });

  it('nothing, when there is nothing to do or nothing is mapped', async () => {
    const { adapter, calls } = world([all([])]);
    expect(await adapter.create('contact', [])).toEqual([]);
    expect(await adapter.read('contact', [])).toEqual([]);
    expect(await adapter.probe('contact', [])).toEqual([]);
    expect(await adapter.associate([])).toEqual([]);
    expect(await adapter.create('deal', [item(null)])).toMatchObject([
      { kind: 'refused', code: 'invalid' },
    ]);
    expect(await adapter.read('deal', [asExternalId('1')])).toMatchObject([{ code: 'not-mapped' }]);
    const update = { externalId: asExternalId('1'), fields: { other: 'x' }, expectedVersion: null };
    expect(await adapter.update('contact', [update])).toMatchObject([
      { kind: 'refused', code: 'invalid' },
    ]);
    expect(calls).toEqual([]);
  });
});

describe('create: outcomes', () => {
  it.each<[string, HttpOutcome, object]>([
    [
      'created',
      all([found('1', { email: 'a@x.io', firstname: 'Ada' })]),
      {
        kind: 'confirmed',
        externalId: '1',
        stored: { email: 'a@x.io', firstName: 'Ada' },
        created: true,
      },
    ],
    [
      'already there',
      ok(conflict(7), 409),
      { kind: 'refused', code: 'already-exists', existingId: '7' },
    ],
    ['already there, in a 207', all([], [conflict(7, '0')]), { kind: 'refused', existingId: '7' }],
    [
      'nothing reached them',
      { kind: 'unsent', code: 'refused' },
      { kind: 'unsent', code: 'refused' },
    ],
    ['no answer', { kind: 'unknown', code: 'deadline' }, { kind: 'unknown', code: 'deadline' }],
    ['an error of theirs', ok('<html>', 502), { kind: 'unknown', code: 'http-502' }],
    ['an empty body', ok(''), { kind: 'unknown', code: 'no-verdict' }],
    ['an empty list', all([]), { kind: 'unknown', code: 'no-verdict' }],
    ['a page of a proxy', ok('<html>ok</html>'), { kind: 'unknown', code: 'no-verdict' }],
    ['a result without id', all([{ properties: { email: 'a@x.io' } }]), { kind: 'unknown' }],
    ['another body altogether', ok({ results: 'many' }), { kind: 'unknown' }],
    ['a truncated body', ok('{"results":[{"id":"1"'), { kind: 'unknown' }],
    ['throttled', ok({ policyName: 'SECONDLY' }, 429), { kind: 'throttled', retryAtMs: 1_001_000 }],
  ])('%s', async (_name, answer, expected) => {
    const { adapter } = world([answer]);
    expect(await adapter.create('contact', [item('a@x.io')])).toMatchObject([expected]);
  });

  it('results are matched by what they say, never by their place', async () => {
    const { adapter } = world([
      all([
        found('3', { email: 'C@x.io' }),
        found('2', {}, { objectWriteTraceId: '1' }),
        found('1', { email: 'a@x.io' }),
      ]),
    ]);
    const results = await adapter.create('contact', [
      item('a@x.io'),
      item('b@x.io'),
      item('c@x.io'),
    ]);
    expect(results).toMatchObject([{ externalId: '1' }, { externalId: '2' }, { externalId: '3' }]);
  });

  it('an item without result does not take the one of its neighbour', async () => {
    const { adapter } = world([all([found('2', { email: 'b@x.io' })])]);
    const results = await adapter.create('contact', [item('a@x.io'), item('b@x.io')]);
    expect(results).toMatchObject([{ kind: 'unknown' }, { kind: 'confirmed', externalId: '2' }]);
  });

  it('one bad item does not take its neighbours with it', async () => {
    const { adapter, calls } = world([
      all([found('1', { email: 'a@x.io' }, { objectWriteTraceId: '0' })], [conflict(9, '1')]),
    ]);
    const results = await adapter.create('contact', [item('a@x.io'), item('b@x.io')]);
    expect(results).toMatchObject([
      { kind: 'confirmed', externalId: '1' },
      { kind: 'refused', existingId: '9' },
    ]);
    expect(calls).toHaveLength(1);
  });

  it('a refusal of the whole call is narrowed down to the item it is about', async () => {
    const isBad = (call: Call) =>
      call.sent.inputs.some((i) => i.properties['email'] === 'bad@x.io');
    const { adapter, calls } = world([
      (call) =>
        isBad(call)
          ? ok(
              {
                category: 'VALIDATION_ERROR',
                errors: [{ code: 'INVALID_EMAIL', context: { propertyName: ['email'] } }],
              },
              400,
            )
          : all(call.sent.inputs.map((i) => found(`id-${i.objectWriteTraceId}`, i.properties))),
    ]);
    const emails = ['a', 'b', 'bad', 'c', 'd', 'e', 'f', 'g'].map((name) => item(`${name}@x.io`));
    const results = await adapter.create('contact', emails);
    expect(results.map((result) => result.kind)).toEqual(
      emails.map((_, n) => (n === 2 ? 'refused' : 'confirmed')),
    );
    expect(results[2]).toMatchObject({ code: 'invalid-field', field: 'email' });
    const written = calls.filter((call) => !isBad(call)).flatMap((call) => call.sent.inputs);
    expect(written).toHaveLength(7);
  });

  it.each([401, 403])('a refused connection (%i) is not asked again by halves', async (status) => {
    const { adapter, calls } = world([ok({}, status)]);
    const results = await adapter.create('contact', [item('a@x.io'), item('b@x.io')]);
    expect(new Set(results.map((result) => result.kind))).toEqual(new Set(['refused']));
    expect(calls).toHaveLength(1);
  });

  it('an unnamed refusal beside silence is unknown: a create is never sent twice', async () => {
    const unnamed = { category: 'VALIDATION_ERROR', context: {} };
    const { adapter, calls } = world([all([found('1', { email: 'a@x.io' })], [unnamed])]);
    const results = await adapter.create(
      'contact',
      ['a', 'b', 'c'].map((n) => item(`${n}@x.io`)),
    );
    expect(results.map((result) => result.kind)).toEqual(['confirmed', 'unknown', 'unknown']);
    expect(calls).toHaveLength(1);
  });

  it('two items of one address go one after the other', async () => {
    const { adapter, calls } = world([
      all([found('1', { email: 'a@x.io' })]),
      ok(conflict(1), 409),
    ]);
    const results = await adapter.create('contact', [item('a@x.io'), item('A@x.io', 'm-2')]);
    expect(calls.map((call) => call.sent.inputs.length)).toEqual([1, 1]);
    expect(results).toMatchObject([{ kind: 'confirmed' }, { kind: 'refused', existingId: '1' }]);
  });

  it('a record that no answer names is looked up by its address', async () => {
    const { adapter, calls } = world([
      ok({ category: 'CONFLICT', message: 'It is there already' }, 409),
      all([found('8', { email: 'first@x.io', hs_additional_emails: 'z@x.io;a@x.io' })]),
    ]);
    const [result] = await adapter.create('contact', [item('a@x.io')]);
    expect(result).toMatchObject({ kind: 'refused', code: 'already-exists', existingId: '8' });
    expect(calls[1]).toMatchObject({
      path: '/crm/v3/objects/contacts/batch/read?archived=false',
      sent: { idProperty: 'email', inputs: [{ id: 'a@x.io' }] },
    });
  });

  it('a failed look-up leaves the refusal as it was', async () => {
    const { adapter } = world([ok({ category: 'CONFLICT' }, 409), ok('', 500)]);
    expect(await adapter.create('contact', [item('a@x.io')])).toMatchObject([
      { kind: 'refused', code: 'already-exists', existingId: null },
    ]);
  });
});
