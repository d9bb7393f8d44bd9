import type { ExternalId, Fields } from '@counterpart/sync-model';
import type { OpenPortal } from './describe-crm-conformance.js';
import { contact, createOne, meeting, only, recordIn } from './samples.js';

const change = (externalId: ExternalId, fields: Fields) => ({
  externalId,
  fields,
  expectedVersion: null,
});

/** Absent is no change, null clears; a value comes back as it was sent, or as it was stored. */
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

    it('one missing record does not take its neighbours with it', async () => {
      const { adapter, human } = await open();
      const ids: ExternalId[] = [];
      for (const name of ['a', 'b', 'c']) {
        ids.push(await createOne(adapter, 'contact', contact(name)));
      }
      await human.delete('contact', ids[1] ?? only(ids));
      const results = await adapter.update(
        'contact',
        ids.map((id) => change(id, { firstName: 'X' })),
      );
      expect(results).toMatchObject([
        { kind: 'confirmed' },
        { kind: 'refused', code: 'not-found' },
        { kind: 'confirmed' },
      ]);
    });

    it('two changes of one record take effect in their order', async () => {
      const { adapter } = await open();
      const id = await createOne(adapter, 'contact', contact('ada'));
      const results = await adapter.update('contact', [
        change(id, { firstName: 'first', score: 1 }),
        change(id, { firstName: 'second' }),
      ]);
      expect(results.map((result) => result.kind)).toEqual(['confirmed', 'confirmed']);
      expect(recordIn(only(await adapter.read('contact', [id]))).stored).toMatchObject({
        firstName: 'second',
        score: 1,
      });
    });

    it('the id of a merged record changes its survivor', async () => {
      const { adapter, human } = await open();
      const ada = await createOne(adapter, 'contact', contact('ada'));
      const twin = await createOne(adapter, 'contact', contact('twin'));
      const survivor = await human.merge('contact', twin, ada);
      const results = await adapter.update('contact', [change(twin, { firstName: 'Ada' })]);
      expect(only(results)).toMatchObject({ kind: 'confirmed', externalId: survivor });
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
