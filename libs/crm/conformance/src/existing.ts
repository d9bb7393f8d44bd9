import type { OpenPortal } from './describe-crm-conformance.js';
import {
  newMarker,
  contact,
  company,
  only,
  idOf,
  recordIn,
  createOne,
  capabilitiesOf,
} from './samples.js';

/** What is there already is named, not doubled. */
export const describeExisting = (open: OpenPortal): void => {
  describe('create beside what is there', () => {
    it('a record that is there is named, so that it can be adopted', async () => {
      const { adapter, human, records } = await open();
      const id = await human.create('contact', { email: 'ada@example.com' });
      expect(await capabilitiesOf(adapter, 'contact')).not.toMatchObject({
        createPath: 'search-only',
      });
      const result = only(await adapter.create('contact', [contact('ada')]));
      expect(result).toMatchObject({ kind: 'refused', code: 'already-exists', existingId: id });
      expect(await records('contact')).toHaveLength(1);
    });

    it('the holder of a secondary address is named', async () => {
      const { adapter, human, records } = await open();
      const first = await human.create('contact', { email: 'ada@example.com' });
      const second = await human.create('contact', { email: 'ada@home.example.com' });
      const survivor = await human.merge('contact', second, first);
      const item = { marker: newMarker(), fields: { email: 'ada@home.example.com' } };
      const result = only(await adapter.create('contact', [item]));
      expect(result).toMatchObject({ kind: 'refused', existingId: survivor });
      expect(recordIn(only(await adapter.find('contact', [item]))).externalId).toBe(survivor);
      expect(await records('contact')).toHaveLength(1);
    });

    it('the same person twice in a batch is one record', async () => {
      const { adapter, records } = await open();
      const [first, other, again] = await adapter.create('contact', [
        contact('ada'),
        contact('bea'),
        contact('ada'),
      ]);
      expect([first?.kind, other?.kind]).toEqual(['confirmed', 'confirmed']);
      expect(again).toMatchObject({ kind: 'refused', existingId: first && idOf(first) });
      expect(await records('contact')).toHaveLength(2);
    });

    it('one record sent twice by its key is one record', async () => {
      const { adapter, records } = await open();
      const { createPath } = await capabilitiesOf(adapter, 'company');
      if (createPath !== 'unique-upsert' && createPath !== 'client-id') return;
      const item = company('acme');
      const [first, again] = await adapter.create('company', [item, item]);
      expect(again).toMatchObject({ externalId: first && idOf(first), created: false });
      expect(await createOne(adapter, 'company', item)).toBe(first && idOf(first));
      expect(await records('company')).toHaveLength(1);
    });
  });
};
