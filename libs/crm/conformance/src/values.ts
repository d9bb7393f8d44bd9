import type { Fields } from '@counterpart/sync-model';
import type { OpenPortal } from './describe-crm-conformance.js';
import { contact, meeting, only, recordIn, createOne, change } from './samples.js';

/** A value comes back as it was sent. */
export const describeValues = (open: OpenPortal): void => {
  describe('values', () => {
    it.each<[string, Fields]>([
      ['text', { firstName: 'Zoë "Z" O’Neil <b>\n2nd line \u{1f600}' }],
      ['phone', { phone: '+14155550100' }],
      ['date', { birthday: '1815-12-10' }],
      ['instant', { seenAt: '2026-03-31T10:00:00.123Z' }],
      ['instant of a whole second', { seenAt: '2026-03-31T10:00:00.000Z' }],
      ['picklist', { size: 'large' }],
      ['number', { score: -1.5 }],
      ['zero', { score: 0 }],
      ['true', { isMember: true }],
      ['false', { isMember: false }],
    ])('%s: the same after create, update and read', async (_name, fields) => {
      const { adapter } = await open();
      const created = only(await adapter.create('contact', [contact('ada', fields)]));
      expect(created).toMatchObject({ kind: 'confirmed', stored: fields });
      const id = await createOne(adapter, 'contact', contact('bea'));
      const updated = only(await adapter.update('contact', [change(id, fields)]));
      expect(updated).toMatchObject({ kind: 'confirmed', stored: fields });
      expect(recordIn(only(await adapter.read('contact', [id]))).stored).toMatchObject(fields);
    });

    it('what was never set and what was cleared both read as null', async () => {
      const { adapter, human } = await open();
      const id = await createOne(adapter, 'contact', contact('ada', { score: 7 }));
      await human.update('contact', id, { score: null });
      const { stored } = recordIn(only(await adapter.read('contact', [id])));
      expect(stored).toMatchObject({ score: null, birthday: null });
    });

    it('a meeting keeps its times', async () => {
      const { adapter } = await open();
      const item = meeting('Kick-off');
      const id = await createOne(adapter, 'meeting', item);
      const startsAt = '2026-04-01T08:30:00.000Z';
      await adapter.update('meeting', [change(id, { startsAt })]);
      expect(recordIn(only(await adapter.read('meeting', [id]))).stored).toMatchObject({
        ...item.fields,
        startsAt,
      });
    });
  });
};
