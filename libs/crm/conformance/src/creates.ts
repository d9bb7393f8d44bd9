import type { OpenPortal } from './describe-crm-conformance.js';
import { newMarker, contact, sampleOf, only, idOf, recordIn } from './samples.js';

const types = Object.keys(sampleOf);
const sample = (recordType: string, name: string) => {
  const make = sampleOf[recordType];
  if (make === undefined) throw new Error(`no sample of ${recordType}`);
  return make(name);
};

/** Every item is stored once and has its own verdict. */
export const describeCreates = (open: OpenPortal): void => {
  describe('create', () => {
    it.each(types)('%s: stores what was sent, once, and reads it back', async (recordType) => {
      const { adapter, records } = await open();
      const item = sample(recordType, 'one');
      const result = only(await adapter.create(recordType, [item]));
      expect(result).toMatchObject({ kind: 'confirmed', stored: item.fields });
      expect(result).not.toMatchObject({ created: false });
      const read = recordIn(only(await adapter.read(recordType, [idOf(result)])));
      expect(read).toMatchObject({ archived: false, stored: item.fields });
      expect(await records(recordType)).toHaveLength(1);
    });

    it.each(types)('%s: many at once, answers in the order of the items', async (recordType) => {
      const { adapter, records } = await open();
      const items = Array.from({ length: 250 }, (_, n) => sample(recordType, `n${n}`));
      const results = await adapter.create(recordType, items);
      const ids = results.map(idOf);
      expect(new Set(ids).size).toBe(250);
      expect(await records(recordType)).toHaveLength(250);
      const some = [0, 99, 100, 249];
      const read = await adapter.read(
        recordType,
        some.flatMap((n) => ids[n] ?? []),
      );
      expect(read.map((found) => recordIn(found).stored)).toMatchObject(
        some.map((n) => items[n]?.fields),
      );
    });

    it('one bad item does not take its neighbours with it', async () => {
      const { adapter, records } = await open();
      const items = ['a', 'b', 'c', 'd'].map((name) => contact(name));
      const bad = { marker: newMarker(), fields: { email: 'bad@example.com', size: 'gigantic' } };
      const results = await adapter.create('contact', [
        ...items.slice(0, 2),
        bad,
        ...items.slice(2),
      ]);
      expect(results.map((result) => result.kind)).toEqual([
        'confirmed',
        'confirmed',
        'refused',
        'confirmed',
        'confirmed',
      ]);
      expect(results[2]).toMatchObject({ code: 'invalid-field', field: 'size' });
      expect(JSON.stringify(results[2])).not.toContain('gigantic');
      expect(await records('contact')).toHaveLength(4);
    });
  });
};
