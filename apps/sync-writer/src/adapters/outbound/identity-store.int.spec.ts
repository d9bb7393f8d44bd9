import { scratchDatabase, type ScratchDatabase } from '@counterpart/testing';
import { asExternalId, hash128, type EntityId } from '@counterpart/sync-model';
import type { IdentityChanges, IdentityRequest } from '../../domain/identity-snapshot.js';
import { crm, entity, entityId, mapping, tenantId } from '../../testing/builders.js';
import { createIdentityStore } from './identity-store.js';

let scratch: ScratchDatabase;
beforeEach(async () => {
  scratch = await scratchDatabase('sync-writer');
});
afterEach(() => scratch.drop());

const storeOf = () => createIdentityStore(scratch.db, () => Promise.resolve());
const about = (externalId: string): IdentityRequest => ({
  tenantId,
  records: [
    { tenantId, sourceId: crm, recordType: 'contact', externalId: asExternalId(externalId) },
  ],
  keys: [],
  origins: [crm],
  withAllKeys: false,
});
const nothing: IdentityChanges = {
  newEntities: [],
  entities: [],
  keys: [],
  mappings: [],
  entityChanges: [],
  mappingMessages: [],
};
/** Saves a new entity with one record, as a settled write would leave it. */
const link = (owner: EntityId, externalId: string) =>
  storeOf().transact(about(externalId), [], () => ({
    changes: {
      ...nothing,
      newEntities: [entity({ entityId: owner })],
      mappings: [
        {
          ...mapping({ entityId: owner, externalId: asExternalId(externalId) }),
          takenFrom: null,
        },
      ],
    },
    result: null,
  }));
const owners = () =>
  scratch.db.query<{ external_id: string; entity_id: string; base: object }>(
    'select external_id, entity_id, base from sync.mappings order by external_id',
  );

test.each([
  ['a record nobody had', null],
  ["a record that was somebody else's", entityId('third')],
])(
  '%s, linked meanwhile, is not taken away: the batch is decided again',
  async (_what, takenFrom) => {
    const ada = entityId('ada');
    await link(ada, '101');
    let decided = 0;
    await storeOf().transact(about('999'), [], () => {
      decided += 1;
      const stale = { ...mapping({ entityId: entityId('newcomer') }), takenFrom };
      return { changes: decided === 1 ? { ...nothing, mappings: [stale] } : nothing, result: null };
    });
    expect(decided).toBe(2);
    expect(await owners()).toMatchObject([{ external_id: '101', entity_id: ada }]);
  },
);

test('a record that is as the snapshot showed it changes hands', async () => {
  const [ada, bob] = [entityId('ada'), entityId('bob')];
  await link(ada, '101');
  await storeOf().transact(about('101'), [], () => ({
    changes: {
      ...nothing,
      newEntities: [entity({ entityId: bob })],
      mappings: [{ ...mapping({ entityId: bob }), takenFrom: ada }],
    },
    result: null,
  }));
  expect(await owners()).toMatchObject([{ external_id: '101', entity_id: bob }]);
});

test("the snapshot holds the records asked for, their entities and all of these entities' records", async () => {
  const ada = entityId('ada');
  await link(ada, '101');
  await scratch.db.query(
    `insert into sync.mappings select tenant_id, 'other', record_type, '7', entity_id, status, origin, base, version_token, exclusive, now()
       from sync.mappings`,
  );
  await storeOf().transact(about('101'), [], (snapshot) => {
    expect([...snapshot.entities.keys()]).toEqual([ada]);
    expect(snapshot.mappings.map(({ externalId }) => externalId).sort()).toEqual(['101', '7']);
    expect(snapshot.records.size).toBe(2);
    return { changes: nothing, result: null };
  });
});

test('a lane that was taken over is not decided upon; one that is ours stays so until the end', async () => {
  const [mine, gone] = [hash128('mine'), hash128('gone')];
  await scratch.db.query(
    `insert into sync.lanes (tenant_id, lane_id, source_id, state, epoch, owner)
     select $1, unnest($2::uuid[]), 'crm', 'open', 2, 'w'`,
    [tenantId, [mine, gone]],
  );
  const held = await storeOf().transact(
    about('101'),
    [
      { tenantId, laneId: mine, epoch: '2' },
      { tenantId, laneId: gone, epoch: '1' },
    ],
    (_snapshot, lanes) => ({ changes: nothing, result: [...lanes] }),
  );
  expect(held).toEqual([mine]);
});
