import type { OpenPortal } from './describe-crm-conformance.js';
import { asProbe, capabilitiesOf, contact, createOne, only } from './samples.js';

/** Limits, credentials and a network that is not there: values, never exceptions. */
export const describeLimits = (open: OpenPortal): void => {
  describe('limits', () => {
    const httpDate = (aheadMs: number) => new Date(Date.now() + aheadMs).toUTCString();
    it.each<[string, () => string | undefined, number, number]>([
      ['seconds', () => '3', 3_000, 3_000],
      // An HTTP date has whole seconds.
      ['a date', () => httpDate(60_000), 58_000, 60_000],
      ['nonsense', () => 'soon', 10_000, 10_000],
      ['a date long ago', () => 'Thu, 01 Jan 1970 00:00:00 GMT', 10_000, 10_000],
      ['years', () => '99999999', 10_000, 10_000],
      ['nothing', () => undefined, 10_000, 10_000],
    ])('Retry-After of %s is a minimum for every process', async (_name, header, min, max) => {
      const retryAfter = header();
      const { adapter, strike, pauses, records } = await open();
      await capabilitiesOf(adapter, 'contact');
      await strike(
        'create',
        retryAfter === undefined ? { kind: 'throttle' } : { kind: 'throttle', retryAfter },
      );
      const beforeMs = Date.now();
      const result = only(await adapter.create('contact', [contact('ada')]));
      const afterMs = Date.now();
      if (result.kind !== 'throttled') throw new Error(`not throttled: ${result.kind}`);
      expect(result.retryAtMs).toBeGreaterThanOrEqual(beforeMs + min);
      expect(result.retryAtMs).toBeLessThanOrEqual(afterMs + max);
      expect(pauses.map((pause) => pause.untilMs)).toEqual([result.retryAtMs]);
      expect(await records('contact')).toEqual([]);
    });

    it('a limit in the middle of a large batch stops what is left, and only that', async () => {
      const { adapter, strike, records, calls } = await open();
      const items = Array.from({ length: 250 }, (_, n) => contact(`p${n}`));
      await capabilitiesOf(adapter, 'contact');
      await strike('create', { kind: 'throttle', retryAfter: '5' }, 1);
      const results = await adapter.create('contact', items);
      expect(results.map((result) => result.kind)).toEqual(
        items.map((_item, n) => (n < 100 ? 'confirmed' : 'throttled')),
      );
      // The third hundred was not tried: the budget knows of the limit by then.
      expect(await calls('create')).toBe(2);
      expect(await records('contact')).toHaveLength(100);
    });
  });

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
