import type { ExternalId } from '@counterpart/sync-model';
import type { OpenPortal } from './describe-crm-conformance.js';
import { contact, only, recordIn, createOne, change } from './samples.js';

/** Every change has its own verdict and its own place in the order. */
export const describeUpdateBatches = (open: OpenPortal): void => {
  describe('update of several', () => {
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
  });
};
