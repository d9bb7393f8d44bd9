import { asExternalId } from '@counterpart/sync-model';
import type { OpenPortal } from './describe-crm-conformance.js';
import { contact, asProbe, only, recordIn, createOne } from './samples.js';

/** Absence is only ever the provider's word, and ids lead to where the record is now. */
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
};
