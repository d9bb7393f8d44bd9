import {
  asExternalId,
  fingerprintOfValue,
  matchKeyHash,
  recordKey,
  type EntityId,
} from '@counterpart/sync-model';
import {
  app,
  crm,
  emptySnapshot,
  entity,
  entityId,
  event,
  mapping,
  plan,
  tenantId,
} from '../testing/builders.js';
import { decideIdentity, type Resolution } from './decide-identity.js';
import type { IdentitySnapshot } from './identity-snapshot.js';
import type { Entity, Mapping } from './work.js';

const emailKey = (email: string) => matchKeyHash(tenantId, 'contact', 'email', email);

const world = () => {
  let next = 0;
  return { plan, nowMs: 5_000, newEntityId: (): EntityId => entityId(`new-${(next += 1)}`) };
};

const snapshotOf = (parts: {
  entities?: readonly Entity[];
  mappings?: readonly Mapping[];
  emails?: Readonly<Record<string, EntityId>>;
  sending?: IdentitySnapshot['sending'];
}): IdentitySnapshot => ({
  ...emptySnapshot,
  entities: new Map((parts.entities ?? []).map((one) => [one.entityId, one])),
  mappings: parts.mappings ?? [],
  records: new Map((parts.mappings ?? []).map((one) => [recordKey({ tenantId, ...one }), one])),
  keys: new Map(Object.entries(parts.emails ?? {}).map(([email, id]) => [emailKey(email), id])),
  sending: parts.sending ?? [],
});

const decide = (
  events: readonly ReturnType<typeof event>[],
  snapshot: IdentitySnapshot = emptySnapshot,
) =>
  decideIdentity(
    events.map((one) => ({ event: one, traceparent: null })),
    snapshot,
    world(),
  );

const entityIdsOf = (resolution: Resolution | undefined) =>
  resolution?.kind === 'proceed' ? resolution.entityIds : resolution;

describe('a new person', () => {
  test('two records with one address become one entity, decided in one batch', () => {
    const attendee = {
      role: 'attendee',
      recordType: 'contact',
      externalId: null,
      fields: { email: 'ada@example.com' },
      relations: [],
    };
    const { changes, resolutions } = decide([
      event({ recordType: 'meeting', externalId: asExternalId('m-1'), relations: [attendee] }),
      event({ recordType: 'meeting', externalId: asExternalId('m-2'), relations: [attendee] }),
    ]);
    expect(changes.newEntities.map(({ entityType }) => entityType)).toEqual([
      'contact',
      'meeting',
      'meeting',
    ]);
    expect(changes.keys).toHaveLength(1);
    const [first, second] = resolutions.map(entityIdsOf);
    expect(first).toEqual([entityId('new-1'), entityId('new-2')]);
    expect(second).toEqual([entityId('new-1'), entityId('new-3')]);
  });

  test('is told once on the clean feed, with all it is known by', () => {
    const { changes } = decide([event({ fields: { email: 'ada@example.com', firstName: 'Ada' } })]);
    expect(changes.entityChanges).toMatchObject([
      { change: 'created', version: 1, fields: { email: 'ada@example.com', firstName: 'Ada' } },
    ]);
  });
});

describe('a known match key', () => {
  const ada = entity({ fields: { email: 'ada@example.com' } });
  const known = { entities: [ada], emails: { 'ada@example.com': ada.entityId } };

  test('leads to its entity', () => {
    const { changes, resolutions } = decide(
      [event({ fields: { email: 'ada@example.com' } })],
      snapshotOf(known),
    );
    expect(entityIdsOf(resolutions[0])).toEqual([ada.entityId]);
    expect(changes.newEntities).toEqual([]);
  });

  test('held by a second record at a CRM asks a person; the app may have two of one person', () => {
    const first = (sourceId: typeof app) => mapping({ sourceId, externalId: asExternalId('r-1') });
    const second = (sourceId: typeof app) =>
      decide(
        [
          event({
            sourceId,
            externalId: asExternalId('r-2'),
            fields: { email: 'ada@example.com' },
          }),
        ],
        snapshotOf({ ...known, mappings: [first(sourceId)] }),
      ).resolutions[0];
    expect(second(crm)).toMatchObject({
      outcome: 'needs-review',
      reason: 'second-record-with-one-match-key',
    });
    expect(entityIdsOf(second(app))).toEqual([ada.entityId]);
  });

  test('of a record our own unanswered create may have made waits for that create', () => {
    const claim = {
      sourceId: crm,
      recordType: 'contact',
      entityId: ada.entityId,
      claimKey: 'k',
      untilMs: 9_000,
    };
    const { resolutions } = decide(
      [event({ sourceId: crm, kind: 'created', fields: { email: 'ada@example.com' } })],
      snapshotOf({ ...known, sending: [claim] }),
    );
    expect(resolutions[0]).toEqual({ kind: 'wait', claimKey: 'k', untilMs: 9_000 });
  });

  test('of nobody we are creating is not held up by creates of others', () => {
    const claim = {
      sourceId: crm,
      recordType: 'contact',
      entityId: ada.entityId,
      claimKey: 'k',
      untilMs: 9_000,
    };
    const seen = (fields: Record<string, string>) =>
      decide(
        [event({ sourceId: crm, kind: 'created', fields })],
        snapshotOf({ ...known, sending: [claim] }),
      ).resolutions[0]?.kind;
    expect(seen({ email: 'bob@example.com' })).toBe('proceed');
    expect(seen({ firstName: 'Nobody knows' })).toBe('wait');
  });

  test('taken by another entity is never moved by a changed address', () => {
    const bob = entity({ entityId: entityId('bob') });
    const record = mapping({
      sourceId: app,
      externalId: asExternalId('c-1'),
      entityId: bob.entityId,
    });
    const { changes, resolutions } = decide(
      [event({ fields: { email: 'ada@example.com' } })],
      snapshotOf({ ...known, entities: [ada, bob], mappings: [record] }),
    );
    expect(resolutions[0]).toMatchObject({ outcome: 'needs-review', reason: 'match-key-taken' });
    expect(changes.entities).toEqual([]);
  });
});

describe('fields', () => {
  const record = mapping({
    base: { phone: { meant: fingerprintOfValue('1'), stored: fingerprintOfValue('1') } },
  });
  const ada = entity({
    fields: { phone: '1', firstName: 'Ada' },
    provenance: {
      firstName: { atMs: 500, sourceId: app, standing: 'main' },
      phone: { atMs: 500, sourceId: app, standing: 'main' },
    },
  });
  const from = (fields: Record<string, string | null>, more = {}) =>
    decide(
      [event({ sourceId: crm, externalId: asExternalId('101'), fields, ...more })],
      snapshotOf({ entities: [ada], mappings: [record] }),
    ).changes;

  test('a person’s edit at the CRM is one change', () => {
    expect(from({ phone: '2' }).entityChanges).toMatchObject([
      { change: 'changed', version: 2, fields: { phone: '2' } },
    ]);
  });
  test('what the CRM stored for us is no change', () => {
    expect(from({ phone: '1' }).entityChanges).toEqual([]);
  });
  test('a field another side owns stays as it is', () => {
    expect(from({ firstName: 'Augusta' }).entityChanges).toEqual([]);
  });
  test('a late change does not undo a later one', () => {
    expect(from({ phone: '2' }, { occurredAtMs: 400 }).entityChanges).toEqual([]);
  });
  test('a clear counts only where the CRM is known to have held something', () => {
    expect(from({ phone: null }).entityChanges).toMatchObject([{ fields: { phone: null } }]);
    expect(from({ email: null }).entityChanges).toEqual([]);
  });
  test('hearsay fills blanks and overwrites nothing', () => {
    const attendee = { role: 'attendee', recordType: 'contact', externalId: null, relations: [] };
    const { changes } = decide(
      [
        event({
          recordType: 'meeting',
          externalId: asExternalId('m-1'),
          relations: [
            { ...attendee, fields: { email: 'ada@example.com', phone: '9', segment: 'gold' } },
          ],
        }),
      ],
      snapshotOf({ entities: [ada], emails: { 'ada@example.com': ada.entityId } }),
    );
    expect(changes.entities[0]?.fields).toMatchObject({ phone: '1', segment: 'gold' });
  });
});

describe('deletes', () => {
  const ada = entity({ fields: { email: 'ada@example.com' } });
  const atCrm = mapping();
  const atApp = mapping({ sourceId: app, externalId: asExternalId('c-1') });
  const both = snapshotOf({
    entities: [ada],
    mappings: [atCrm, atApp],
    emails: { 'ada@example.com': ada.entityId },
  });
  const deletion = event({
    sourceId: crm,
    externalId: asExternalId('101'),
    kind: 'deleted',
    shape: 'hint',
  });

  test('leave a tombstone and end the entity with its last CRM record', () => {
    const { changes } = decide([deletion], both);
    expect(changes.mappings).toMatchObject([{ externalId: '101', status: 'tombstone' }]);
    expect(changes.entityChanges).toMatchObject([{ change: 'deleted' }]);
  });
  test('are not undone by an older event that comes late, in the same batch or later', () => {
    const late = event({ fields: { email: 'ada@example.com', phone: '5' } });
    const { resolutions } = decide([deletion, late], both);
    expect(resolutions[1]).toMatchObject({ outcome: 'superseded', reason: 'entity-deleted' });
  });
  test('do not stop a new record with the same address from living', () => {
    const buried = snapshotOf({
      entities: [{ ...ada, status: 'deleted' }],
      mappings: [{ ...atCrm, status: 'tombstone' }],
      emails: { 'ada@example.com': ada.entityId },
    });
    const { changes, resolutions } = decide(
      [
        event({
          kind: 'created',
          externalId: asExternalId('c-9'),
          fields: { email: 'ada@example.com' },
        }),
      ],
      buried,
    );
    expect(entityIdsOf(resolutions[0])).toEqual([entityId('new-1')]);
    expect(changes.keys).toMatchObject([{ how: 'move', entityId: entityId('new-1') }]);
  });
});

describe('merges', () => {
  const ada = entity({ fields: { email: 'ada@example.com' } });
  const twin = entity({ entityId: entityId('twin'), fields: { email: 'a@example.com' } });
  const first = mapping();
  const second = mapping({ externalId: asExternalId('102'), entityId: twin.entityId });

  test.each([
    ['the primary keeps its id', '101', ['102']],
    ['a third id is made', '103', ['101', '102']],
  ])('when %s every old id leads to the survivor', (_name, survivor, losers) => {
    const { changes } = decide(
      [
        event({
          sourceId: crm,
          externalId: asExternalId(survivor),
          kind: 'merged',
          merge: { survivorId: asExternalId(survivor), loserIds: losers.map(asExternalId) },
        }),
      ],
      snapshotOf({
        entities: [ada, twin],
        mappings: [first, second],
        emails: { 'ada@example.com': ada.entityId, 'a@example.com': twin.entityId },
      }),
    );
    const statuses = Object.fromEntries(
      [first, second, ...changes.mappings].map((one) => [
        one.externalId,
        [one.status, one.entityId],
      ]),
    );
    expect(statuses[survivor]).toEqual(['linked', ada.entityId]);
    for (const loser of losers) expect(statuses[loser]).toEqual(['alias', ada.entityId]);
    expect(changes.entityChanges).toMatchObject([
      { change: 'merged', entityId: twin.entityId, mergedInto: ada.entityId },
    ]);
    expect(changes.keys).toMatchObject([{ how: 'move', entityId: ada.entityId }]);
  });
});
