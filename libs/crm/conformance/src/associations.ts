import { asExternalId } from '@counterpart/sync-model';
import type { OpenPortal } from './describe-crm-conformance.js';
import { contact, company, meeting, only, createOne } from './samples.js';

type Id = ReturnType<typeof asExternalId>;
const attend = (fromId: Id, toId: Id) => ({
  fromType: 'meeting',
  fromId,
  toType: 'contact',
  toId,
});

/** Each association is made once, and each has its own verdict. */
export const describeAssociations = (open: OpenPortal): void => {
  describe('associate', () => {
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
