import type { OpenPortal } from './describe-crm-conformance.js';
import { contact, only, recordIn, createOne, change } from './samples.js';

/** Absent is no change, null clears, and what was stored is told. */
export const describeUpdates = (open: OpenPortal): void => {
  describe('update', () => {
    it('changes what is named, clears what is null, leaves what is absent', async () => {
      const { adapter } = await open();
      const sent = contact('ada', { firstName: 'Ada', phone: '+14155550100', score: 7 });
      const id = await createOne(adapter, 'contact', sent);
      const update = change(id, { firstName: 'Augusta', phone: null });
      expect(only(await adapter.update('contact', [update]))).toMatchObject({
        kind: 'confirmed',
        externalId: id,
        stored: { firstName: 'Augusta', phone: null },
      });
      expect(recordIn(only(await adapter.read('contact', [id]))).stored).toMatchObject({
        email: 'ada@example.com',
        firstName: 'Augusta',
        phone: null,
        score: 7,
      });
    });

    it('tells what was stored, not what was sent', async () => {
      const { adapter, behave } = await open();
      await behave({ truncateContact: { firstName: 4 } });
      const id = await createOne(adapter, 'contact', contact('ada'));
      const update = change(id, { firstName: 'Augusta' });
      expect(only(await adapter.update('contact', [update]))).toMatchObject({
        stored: { firstName: 'Augu' },
      });
    });

    it("another record's address is refused", async () => {
      const { adapter } = await open();
      await createOne(adapter, 'contact', contact('ada'));
      const id = await createOne(adapter, 'contact', contact('bea'));
      const result = only(
        await adapter.update('contact', [change(id, { email: 'ada@example.com' })]),
      );
      expect(result).toMatchObject({ kind: 'refused', code: 'already-exists' });
    });
  });
};
