import type { CreateItem } from '@counterpart/crm-port';
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
export const describeLostCreates = (open: OpenPortal): void => {
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
};
