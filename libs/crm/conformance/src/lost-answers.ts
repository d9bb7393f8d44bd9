import type { OpenPortal } from './describe-crm-conformance.js';
import {
  contact,
  company,
  meeting,
  asProbe,
  only,
  recordIn,
  createOne,
  capabilitiesOf,
  eventually,
} from './samples.js';

/** Answers that are lost where a probe is no proof yet, in batches, by time, and of updates. */
export const describeLostAnswers = (open: OpenPortal): void => {
  describe.each([
    ['company', () => company('acme')],
    ['meeting', () => meeting('Kick-off')],
  ] as const)('%s: a create without answer, where only search can find it', (recordType, make) => {
    it('is not seen before the index is, and is found by its marker or match key then', async () => {
      const { adapter, strike, behave, records } = await open({ uniqueProperties: 'forbidden' });
      await behave({ indexLagMs: 1_500 });
      const item = make();
      expect(await capabilitiesOf(adapter, recordType)).toMatchObject({ strongProbe: false });
      await strike('create', { kind: 'lost-answer' });
      expect(only(await adapter.create(recordType, [item])).kind).toBe('unknown');
      expect(await records(recordType)).toHaveLength(1);
      // Nothing but time separates this "absent" from the truth; that is why it is no proof.
      expect(await adapter.probe(recordType, [asProbe(item)])).toEqual([{ kind: 'absent' }]);
      const found = await eventually(async () =>
        recordIn(only(await adapter.probe(recordType, [asProbe(item)]))),
      );
      expect(await records(recordType)).toMatchObject([{ externalId: found.externalId }]);
    });
  });

  it('a batch without answer: every item is unknown, and each is found', async () => {
    const { adapter, strike, records } = await open();
    const items = Array.from({ length: 20 }, (_, n) => contact(`p${n}`));
    await strike('create', { kind: 'lost-answer' });
    const results = await adapter.create('contact', items);
    expect(new Set(results.map((result) => result.kind))).toEqual(new Set(['unknown']));
    const probed = await adapter.probe('contact', items.map(asProbe));
    expect(probed.map((found) => recordIn(found).stored)).toMatchObject(
      items.map((item) => item.fields),
    );
    expect(await records('contact')).toHaveLength(20);
  });

  it('a create that outlives our deadline is unknown in time, and found when it is done', async () => {
    const { connect, strike } = await open();
    const adapter = connect({ timing: { requestDeadlineMs: 400 } });
    await capabilitiesOf(adapter, 'contact');
    await strike('create', { kind: 'slow', ms: 1_200 });
    const item = contact('slow');
    const startedMs = performance.now();
    expect(only(await adapter.create('contact', [item])).kind).toBe('unknown');
    expect(performance.now() - startedMs).toBeLessThan(1_100);
    expect(await adapter.probe('contact', [asProbe(item)])).toEqual([{ kind: 'absent' }]);
    await eventually(async () => recordIn(only(await adapter.probe('contact', [asProbe(item)]))));
  });

  it('an update without answer is unknown, and a probe reads what the record holds', async () => {
    const { adapter, strike } = await open();
    const externalId = await createOne(adapter, 'contact', contact('ada'));
    await strike('update', { kind: 'lost-answer' });
    const fields = { firstName: 'Ada' };
    const update = { externalId, fields, expectedVersion: null };
    expect(only(await adapter.update('contact', [update])).kind).toBe('unknown');
    const probe = { marker: 'none', fields, externalId };
    expect(recordIn(only(await adapter.probe('contact', [probe]))).stored).toMatchObject(fields);
  });
};
