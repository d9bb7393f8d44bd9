import type { OpenPortal } from './describe-crm-conformance.js';
import {
  company,
  meeting,
  sampleOf,
  asProbe,
  only,
  recordIn,
  createOne,
  capabilitiesOf,
} from './samples.js';

const types = Object.keys(sampleOf);

/** What a portal offers follows what it allows. */
export const describeCapabilities = (open: OpenPortal): void => {
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
