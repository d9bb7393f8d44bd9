import { asSourceId, asTenantId } from '@counterpart/sync-model';
import { contestedIn, type EndpointClaim } from './endpoint-claims.js';
import { appKey, doorsOf, type VersionedSlice } from './endpoints.js';

const placeOf = (_provider: string, settings: Readonly<Record<string, unknown>>) => ({
  instanceId: String(settings['portalId']),
  ownMarker: 'us',
});
const plan = (
  tenant: string,
  portalId: string,
  parts: { readonly version?: number; readonly secrets?: readonly string[] } = {},
): VersionedSlice => ({
  tenantId: asTenantId(tenant),
  version: parts.version ?? 1,
  records: {},
  apps: [{ sourceId: asSourceId('app'), secrets: [`file:${tenant}/app`], recordTypes: [] }],
  webhooks: [
    {
      sourceId: asSourceId('crm'),
      provider: 'hubspot',
      endpoint: 'shared',
      secrets: parts.secrets ?? ['file:shared/app'],
      settings: { portalId },
      records: [],
    },
  ],
});
/** `portal tenant` of everything that receives, by group. */
const receivers = (
  plans: readonly VersionedSlice[],
  since: (claim: EndpointClaim) => number | undefined = () => undefined,
) =>
  (doorsOf(plans, since, placeOf).endpoints.get('shared') ?? []).map(({ sources }) =>
    [...sources].map(([portal, { tenantId }]) => `${portal} ${tenantId}`),
  );

test('tenants with the same secrets share an endpoint', () => {
  expect(receivers([plan('a', '1'), plan('b', '2')])).toEqual([['1 a', '2 b']]);
});

test('tenants with other secrets do not meet there', () => {
  expect(receivers([plan('a', '1'), plan('b', '2', { secrets: ['file:b/own'] })])).toEqual([
    ['1 a'],
    ['2 b'],
  ]);
});

test('whoever claimed an instance first keeps it, whatever secrets the other names', () => {
  const first = plan('z', '1', { version: 5 });
  for (const secrets of [['file:shared/app'], ['file:a/own']]) {
    const second = plan('a', '1', { version: 6, secrets });
    expect(receivers([second, first])).toEqual([['1 z']]);
  }
});

test('applying a plan again loses no place, and an old plan that adds a place gains none', () => {
  const stamps: Readonly<Record<string, number>> = { z: 5, a: 6 };
  const since = ({ tenantId }: EndpointClaim) => stamps[tenantId];
  const again = plan('z', '1', { version: 9 });
  expect(receivers([plan('a', '1', { version: 6 }), again], since)).toEqual([['1 z']]);
});

test('a place that its owner gave up is the next one’s', () => {
  expect(receivers([plan('z', '2', { version: 9 }), plan('a', '1', { version: 6 })])).toEqual([
    ['2 z', '1 a'],
  ]);
});

test('two sources of one version are told apart the same way in every process', () => {
  const claim = (tenantId: string): EndpointClaim => ({
    tenantId,
    sourceId: 'crm',
    endpoint: 'shared',
    instanceId: '1',
    version: 1,
  });
  const names = (claims: readonly EndpointClaim[]) =>
    contestedIn(claims, () => undefined).map(({ tenantId }) => tenantId);
  expect(names([claim('a'), claim('b')])).toEqual(['b']);
  expect(names([claim('b'), claim('a')])).toEqual(['b']);
});

test('an app source is found by tenant and source only', () => {
  const { apps } = doorsOf([plan('a', '1')], () => undefined, placeOf);
  expect(apps.get(appKey('a', 'app'))?.secretRefs).toEqual(['file:a/app']);
  expect(apps.get(appKey('a', 'crm'))).toBeUndefined();
  expect(apps.get(appKey('b', 'app'))).toBeUndefined();
});
