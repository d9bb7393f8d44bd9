import type { OpenPortal } from './describe-crm-conformance.js';
import {
  asProbe,
  capabilitiesOf,
  company,
  contact,
  createOne,
  idOf,
  meeting,
  newMarker,
  only,
  recordIn,
  sampleOf,
} from './samples.js';

const types = Object.keys(sampleOf);
const sample = (recordType: string, name: string) => {
  const make = sampleOf[recordType];
  if (make === undefined) throw new Error(`no sample of ${recordType}`);
  return make(name);
};

/** Creating: every item has its own verdict, and what is there already is named, not doubled. */
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

  describe('capabilities', () => {
    it('with a unique property of our own, a probe is proof for every type', async () => {
      const { adapter, connect } = await open({ uniqueProperties: 'allowed' });
      for (const recordType of types) {
        const offered = await capabilitiesOf(adapter, recordType);
        expect(offered.strongProbe).toBe(true);
        // Another process finds what the first one made, and offers the same.
        expect(await capabilitiesOf(connect(), recordType)).toEqual(offered);
      }
    });

    it('where it is forbidden, what is offered goes down, and creating still works', async () => {
      const { adapter, records } = await open({ uniqueProperties: 'forbidden' });
      for (const recordType of ['company', 'meeting']) {
        expect(await capabilitiesOf(adapter, recordType)).toMatchObject({
          createPath: 'search-only',
          strongProbe: false,
        });
      }
      await createOne(adapter, 'company', company('acme'));
      await createOne(adapter, 'meeting', meeting('Kick-off'));
      expect([await records('company'), await records('meeting')].flat()).toHaveLength(2);
    });

    it('a create that went out before our property was allowed is found after it', async () => {
      const { connect } = await open({ uniqueProperties: 'allowed' });
      const before = connect({ mayMakeUniqueProperty: false });
      for (const [recordType, item] of [
        ['company', company('acme')],
        ['meeting', meeting('Kick-off')],
      ] as const) {
        const id = await createOne(before, recordType, item);
        const found = only(await connect().probe(recordType, [asProbe(item)]));
        expect(recordIn(found).externalId).toBe(id);
      }
    });
  });
};
