import type { CreateItem } from '@counterpart/crm-port';
import type { OpenPortal } from './describe-crm-conformance.js';
import {
  asProbe,
  capabilitiesOf,
  company,
  contact,
  createOne,
  eventually,
  meeting,
  only,
  recordIn,
} from './samples.js';
import type { PortalFault } from './world.js';

const doneUnseen: readonly (readonly [string, PortalFault])[] = [
  ['the answer is lost', { kind: 'lost-answer' }],
  ['the answer is empty', { kind: 'empty-success' }],
  ['the answer is an error of theirs', { kind: 'status', status: 502, isDone: true }],
];
const strong: readonly (readonly [string, () => CreateItem])[] = [
  ['contact', () => contact('ada')],
  ['company', () => company('acme')],
  ['meeting', () => meeting('Kick-off')],
];

/** A create without a clear answer is `unknown`, whatever happened; a probe tells what did. */
export const describeLostAnswers = (open: OpenPortal): void => {
  describe.each(strong)(
    '%s: a create without answer, where a probe is proof',
    (recordType, make) => {
      it.each(doneUnseen)(
        '%s: unknown, then found, and never a second record',
        async (_n, fault) => {
          const { adapter, strike, records } = await open();
          expect(await capabilitiesOf(adapter, recordType)).toMatchObject({ strongProbe: true });
          const item = make();
          await strike('create', fault);
          expect(only(await adapter.create(recordType, [item])).kind).toBe('unknown');
          const probed = recordIn(only(await adapter.probe(recordType, [asProbe(item)])));
          expect(await records(recordType)).toMatchObject([{ externalId: probed.externalId }]);
          expect(probed.stored).toMatchObject(item.fields);
          // Even when somebody sends it again without looking.
          const again = only(await adapter.create(recordType, [item]));
          expect(again.kind === 'refused' ? again.existingId : again).toEqual(
            again.kind === 'refused'
              ? probed.externalId
              : expect.objectContaining({ kind: 'confirmed', externalId: probed.externalId }),
          );
          expect(await records(recordType)).toHaveLength(1);
        },
      );

      it.each<readonly [string, PortalFault]>([
        ['the connection is reset', { kind: 'reset-before' }],
        ['their server fails', { kind: 'status', status: 503 }],
      ])('%s before anything is done: the probe proves it', async (_name, fault) => {
        const { adapter, strike, records } = await open();
        const item = make();
        await capabilitiesOf(adapter, recordType);
        await strike('create', fault);
        expect(['unknown', 'unsent']).toContain(
          only(await adapter.create(recordType, [item])).kind,
        );
        expect(await adapter.probe(recordType, [asProbe(item)])).toEqual([{ kind: 'absent' }]);
        await createOne(adapter, recordType, item);
        expect(await records(recordType)).toHaveLength(1);
      });
    },
  );

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
