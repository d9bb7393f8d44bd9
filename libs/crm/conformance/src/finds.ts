import type { OpenPortal } from './describe-crm-conformance.js';
import { contact, company, only, recordIn, createOne } from './samples.js';

/** Finding by match field, and what nothing can find. */
export const describeFinds = (open: OpenPortal): void => {
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
};
