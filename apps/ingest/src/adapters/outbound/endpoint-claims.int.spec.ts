import { scratchDatabase, type ScratchDatabase } from '@counterpart/testing';
import type { EndpointClaim } from '../../domain/endpoint-claims.js';
import { createClaimStore } from './endpoint-claims.js';

let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await scratchDatabase('ingest');
});
afterAll(() => scratch?.drop());
beforeEach(() => scratch.owner.query('truncate ingest.endpoint_claims'));

const claim = (tenantId: string, instanceId: string, version: number): EndpointClaim => ({
  tenantId,
  sourceId: 'crm',
  endpoint: 'shared',
  instanceId,
  version,
});

test('a claim keeps the version that made it; what a plan names no longer is forgotten', async () => {
  const store = createClaimStore(scratch.db);
  await store.keep(['a', 'b'], [claim('a', '1', 5), claim('b', '2', 6)]);
  await store.keep(['a'], [claim('a', '1', 9), claim('a', '3', 9)]);
  const since = await store.since();
  expect(['1', '2', '3'].map((id) => since(claim('a', id, 9)))).toEqual([5, undefined, 9]);
  expect(since(claim('b', '2', 7))).toBe(6);

  await store.keep(['a'], []);
  const after = await store.since();
  expect(after(claim('a', '1', 9))).toBeUndefined();
  expect(after(claim('b', '2', 7))).toBe(6);
});

test('a batch that comes again, or on two pods at once, changes nothing', async () => {
  const store = createClaimStore(scratch.db);
  const batch = [claim('a', '1', 5), claim('b', '1', 6)];
  await Promise.all([1, 2, 3].map(() => store.keep(['a', 'b'], batch)));
  const since = await store.since();
  expect(batch.map(since)).toEqual([5, 6]);
});
