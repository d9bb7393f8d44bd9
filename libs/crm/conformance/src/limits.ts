import type { OpenPortal } from './describe-crm-conformance.js';
import { contact, only, capabilitiesOf } from './samples.js';

/** A limit is a minimum, for every process, and stops only what is left. */
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
};
