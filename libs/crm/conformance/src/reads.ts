import { asExternalId } from '@counterpart/sync-model';
import type { OpenPortal } from './describe-crm-conformance.js';
import { asProbe, company, contact, createOne, meeting, only, recordIn } from './samples.js';

/** Reading: absence is only ever the provider's word, and ids lead to where the record is now. */
export const describeReads = (open: OpenPortal): void => {
  describe('read', () => {
    it('answers in order: live, deleted, never there, restored', async () => {
      const { adapter, human } = await open();
      const live = await createOne(adapter, 'contact', contact('live'));
      const deleted = await createOne(adapter, 'contact', contact('deleted'));
      const restored = await createOne(adapter, 'contact', contact('restored'));
      await human.delete('contact', deleted);
      await human.delete('contact', restored);
      await human.restore('contact', restored);
      const never = asExternalId('999999999');
      const results = await adapter.read('contact', [never, deleted, live, restored, live]);
      expect(results).toMatchObject([
        { kind: 'absent' },
        { kind: 'found', record: { externalId: deleted, archived: true } },
        { kind: 'found', record: { externalId: live, archived: false } },
        { kind: 'found', record: { externalId: restored, archived: false } },
        { kind: 'found', record: { externalId: live } },
      ]);
    });

    it.each([true, false])(
      'the id of a merged record leads to its survivor (primary kept: %s)',
      async (mergeKeepsPrimaryId) => {
        const { adapter, human, behave } = await open();
        await behave({ mergeKeepsPrimaryId });
        const ada = await createOne(adapter, 'contact', contact('ada', { firstName: 'Ada' }));
        const twin = await createOne(adapter, 'contact', contact('twin'));
        const survivor = await human.merge('contact', twin, ada);
        expect(survivor === ada).toBe(mergeKeepsPrimaryId);
        const results = await adapter.read('contact', [twin, ada, survivor]);
        for (const result of results) {
          expect(recordIn(result)).toMatchObject({
            externalId: survivor,
            archived: false,
            stored: { email: 'ada@example.com', firstName: 'Ada' },
          });
        }
      },
    );

    describe.each([
      ['the connection is reset', { kind: 'reset-before' }],
      ['the answer is empty', { kind: 'empty-success' }],
      ['their server fails', { kind: 'status', status: 500 }],
      ['we are throttled', { kind: 'throttle', retryAfter: '3' }],
    ] as const)('when %s', (_name, fault) => {
      it.each(['read', 'probe', 'find'] as const)(
        '%s: unreadable, never absent',
        async (method) => {
          const { adapter, strike } = await open();
          const item = contact('ada');
          const id = await createOne(adapter, 'contact', item);
          await strike('read', fault);
          const looks = {
            read: () => adapter.read('contact', [id]),
            probe: () => adapter.probe('contact', [asProbe(item)]),
            find: () => adapter.find('contact', [item]),
          };
          expect(only(await looks[method]())).toMatchObject({ kind: 'unreadable' });
        },
      );
    });
  });

  describe('find', () => {
    it('one, none and several; an item without match value has nothing to be linked by', async () => {
      const { adapter, human } = await open();
      const one = await human.create('company', { domain: 'one.example.com', name: 'One' });
      const both = [
        await human.create('company', { domain: 'two.example.com', name: 'Two' }),
        await human.create('company', { domain: 'two.example.com', name: 'Two again' }),
      ];
      const unnamed = { marker: 'm', fields: { name: 'No domain' } };
      const items = [company('two'), company('none'), company('one'), unnamed];
      const [several, none, single, without] = await adapter.find('company', items);
      expect(several?.kind === 'ambiguous' && several.records.map((r) => r.externalId)).toEqual(
        both,
      );
      expect(none).toEqual({ kind: 'absent' });
      expect(single).toMatchObject({
        kind: 'found',
        record: { externalId: one, stored: { name: 'One' } },
      });
      expect(without).toEqual({ kind: 'absent' });
    });

    it('contacts are found at once, however far behind the search index is', async () => {
      const { adapter, behave, calls } = await open();
      await behave({ indexLagMs: 60_000 });
      const item = contact('ada');
      const id = await createOne(adapter, 'contact', item);
      expect(recordIn(only(await adapter.find('contact', [item]))).externalId).toBe(id);
      expect(await calls('search')).toBe(0);
    });

    it('a deleted record is not found', async () => {
      const { adapter, human } = await open();
      const acme = company('acme');
      const id = await createOne(adapter, 'company', acme);
      await human.delete('company', id);
      expect(await adapter.find('company', [acme])).toEqual([{ kind: 'absent' }]);
    });

    it('an item that nothing can tell from others is never called absent by a probe', async () => {
      const { adapter } = await open({ uniqueProperties: 'forbidden' });
      const unnamed = { marker: 'm', fields: { name: 'No domain' }, externalId: null };
      expect(await adapter.probe('company', [unnamed])).toMatchObject([{ kind: 'unreadable' }]);
    });
  });

  describe('associate', () => {
    const attend = (fromId: ReturnType<typeof asExternalId>, toId: typeof fromId) => ({
      fromType: 'meeting',
      fromId,
      toType: 'contact',
      toId,
    });

    it('makes each association once, however often it is asked for', async () => {
      const { adapter, records } = await open();
      const from = await createOne(adapter, 'meeting', meeting('Kick-off'));
      const ada = await createOne(adapter, 'contact', contact('ada'));
      const bea = await createOne(adapter, 'contact', contact('bea'));
      const acme = await createOne(adapter, 'company', company('acme'));
      const items = [
        attend(from, ada),
        { fromType: 'contact', fromId: ada, toType: 'company', toId: acme },
        attend(from, bea),
        attend(from, ada),
      ];
      for (const _time of [1, 2]) {
        const results = await adapter.associate(items);
        expect(results.map((result) => result.kind)).toEqual(items.map(() => 'confirmed'));
      }
      expect([...only(await records('meeting')).associatedWith].sort()).toEqual([ada, bea].sort());
      expect(only(await records('company')).associatedWith).toEqual([ada]);
    });

    it('one missing record does not take its neighbours with it', async () => {
      const { adapter } = await open();
      const from = await createOne(adapter, 'meeting', meeting('Kick-off'));
      const ada = await createOne(adapter, 'contact', contact('ada'));
      const bea = await createOne(adapter, 'contact', contact('bea'));
      const results = await adapter.associate(
        [ada, asExternalId('999999999'), bea].map((id) => attend(from, id)),
      );
      expect(results.map((result) => result.kind)).toEqual(['confirmed', 'refused', 'confirmed']);
      expect(results[1]).toMatchObject({ code: 'not-found' });
    });

    it('the id of a merged record associates its survivor', async () => {
      const { adapter, human, records } = await open();
      const from = await createOne(adapter, 'meeting', meeting('Kick-off'));
      const other = await createOne(adapter, 'contact', contact('other'));
      const ada = await createOne(adapter, 'contact', contact('ada'));
      const twin = await createOne(adapter, 'contact', contact('twin'));
      const survivor = await human.merge('contact', twin, ada);
      const results = await adapter.associate([attend(from, other), attend(from, twin)]);
      expect(results.map((result) => result.kind)).toEqual(['confirmed', 'confirmed']);
      const { associatedWith } = only(await records('meeting'));
      expect([...associatedWith].sort()).toEqual([other, survivor].sort());
    });

    it('without answer it is unknown, and asking again makes it once', async () => {
      const { adapter, strike, records } = await open();
      const from = await createOne(adapter, 'meeting', meeting('Kick-off'));
      const ada = await createOne(adapter, 'contact', contact('ada'));
      await strike('associate', { kind: 'lost-answer' });
      expect(only(await adapter.associate([attend(from, ada)])).kind).toBe('unknown');
      expect(only(await adapter.associate([attend(from, ada)])).kind).toBe('confirmed');
      expect(only(await records('meeting')).associatedWith).toEqual([ada]);
    });
  });
};
