import type { OpenPortal } from './describe-crm-conformance.js';
import { contact, asProbe, only, createOne } from './samples.js';

/** Credentials and a network that is not there: values, never exceptions. */
export const describeConnections = (open: OpenPortal): void => {
  describe('connection', () => {
    it('a token that is not accepted is said to be that, by every method', async () => {
      const { connect, adapter: good } = await open();
      const externalId = await createOne(good, 'contact', contact('ada'));
      const adapter = connect({ accessToken: 'revoked', mayMakeUniqueProperty: false });
      const refused = [{ kind: 'refused', code: 'credentials' }];
      const unreadable = [{ kind: 'unreadable', code: 'credentials' }];
      const item = contact('bea');
      const update = { externalId, fields: { firstName: 'X' }, expectedVersion: null };
      const pair = { fromType: 'contact', fromId: externalId, toType: 'company', toId: externalId };
      expect(await adapter.create('contact', [item])).toMatchObject(refused);
      expect(await adapter.update('contact', [update])).toMatchObject(refused);
      expect(await adapter.associate([pair])).toMatchObject(refused);
      expect(await adapter.read('contact', [externalId])).toMatchObject(unreadable);
      expect(await adapter.find('contact', [item])).toMatchObject(unreadable);
      expect(await adapter.probe('contact', [asProbe(item)])).toMatchObject(unreadable);
      expect(await connect({ accessToken: 'revoked' }).prepare()).toMatchObject({
        code: 'credentials',
      });
    });

    it('when nobody is there, nothing was sent', async () => {
      const { connect } = await open();
      const adapter = connect({ isUnreachable: true, mayMakeUniqueProperty: false });
      expect(only(await adapter.create('contact', [contact('ada')])).kind).toBe('unsent');
      expect(only(await adapter.find('contact', [contact('ada')])).kind).toBe('unreadable');
      const own = connect({ isUnreachable: true });
      expect(await own.prepare()).toMatchObject({ retryAtMs: null });
      expect(only(await own.create('company', [contact('ada')])).kind).toBe('unsent');
    });

    it('types the plan does not map are refused without a call', async () => {
      const { adapter } = await open();
      expect(only(await adapter.create('spaceship', [contact('ada')]))).toMatchObject({
        kind: 'refused',
        code: 'invalid',
      });
    });
  });
};
