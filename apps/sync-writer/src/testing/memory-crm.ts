import type {
  AssociateItem,
  CreateItem,
  CrmAdapter,
  FindResult,
  FoundRecord,
  ProbeItem,
  RecordCapabilities,
  WriteResult,
} from '@counterpart/crm-port';
import {
  asExternalId,
  type ExternalId,
  type Fields,
  type RecordType,
} from '@counterpart/sync-model';

/** What one call shall do besides its work. */
export type Misbehaviour =
  'commit-no-answer' | 'commit-late' | 'lost-before' | 'never-answers' | 'refuse' | null;

/** How long a create goes on of which nobody hears any more. */
export const lateMs = 700;

/**
 * A CRM in memory for the writer's own specs, as forgetful or as strict as a spec wants. It stands
 * at the port, not at the wire: what is under test is the protocol, not an adapter.
 */
export class MemoryCrm {
  readonly records = new Map<
    string,
    { type: RecordType; fields: Fields; marker: string; madeAtMs: number }
  >();
  /** As CRMs keep them: making one that exists changes nothing. */
  readonly edges = new Map<string, AssociateItem>();
  readonly calls: { readonly kind: string; readonly items: number }[] = [];
  /** Decides what the n-th create call does. */
  misbehave: (call: number) => Misbehaviour = () => null;
  /** While true, no update reaches it. */
  unreachable = false;
  latency: () => Promise<void> = () => Promise.resolve();
  private next = 100;
  private creates = 0;

  constructor(
    private readonly offered: RecordCapabilities,
    private readonly indexLagMs = 0,
    private readonly uniqueField: string | null = null,
    private readonly now: () => number = Date.now,
  ) {}

  readonly adapter: CrmAdapter = {
    prepare: () =>
      Promise.resolve(
        new Map(['contact', 'company', 'meeting'].map((type) => [type, this.offered])),
      ),
    create: (type, items) => this.create(type, items),
    update: (_type, items) =>
      this.call('update', items.length, () =>
        items.map((item): WriteResult => {
          if (this.unreachable) return { kind: 'unsent', code: 'unreachable' };
          const record = this.records.get(item.externalId);
          if (record === undefined)
            return {
              kind: 'refused',
              code: 'not-found',
              detail: '',
              existingId: null,
              field: null,
            };
          record.fields = { ...record.fields, ...item.fields };
          return confirmed(item.externalId, item.fields, false);
        }),
      ),
    associate: (items) =>
      this.call('associate', items.length, () => {
        for (const item of items) this.edges.set(`${item.fromId}-${item.toId}`, item);
        return items.map((item) => confirmed(item.fromId, {}, null));
      }),
    read: (_type, ids) =>
      this.call('read', ids.length, () =>
        ids.map((id) => this.byId(id) ?? { kind: 'absent' as const }),
      ),
    find: (type, items) =>
      this.call('search', items.length, () =>
        items.map(({ fields }) => this.search(type, fields, this.indexLagMs)),
      ),
    probe: (type, items) =>
      this.call('probe', items.length, () => items.map((item) => this.probe(type, item))),
  };

  count(type: RecordType): number {
    return [...this.records.values()].filter((record) => record.type === type).length;
  }

  private async call<T>(kind: string, items: number, work: () => T): Promise<T> {
    this.calls.push({ kind, items });
    await this.latency();
    return work();
  }

  private async create(
    type: RecordType,
    items: readonly CreateItem[],
  ): Promise<readonly WriteResult[]> {
    const misbehaviour = this.misbehave((this.creates += 1));
    if (misbehaviour === 'lost-before')
      return items.map(() => ({ kind: 'unknown', code: 'reset' }));
    if (misbehaviour === 'never-answers') return new Promise(() => undefined);
    if (misbehaviour === 'refuse')
      return this.call('create', items.length, () => items.map(() => refusal('invalid-field')));
    if (misbehaviour === 'commit-late') {
      setTimeout(() => items.forEach((item) => this.insert(type, item)), lateMs);
      return items.map(() => ({ kind: 'unknown', code: 'reset' }));
    }
    return this.call('create', items.length, () => {
      const results = items.map((item) => this.insert(type, item));
      return misbehaviour === 'commit-no-answer'
        ? items.map((): WriteResult => ({ kind: 'unknown', code: 'timed-out' }))
        : results;
    });
  }

  private insert(type: RecordType, item: CreateItem): WriteResult {
    const { uniqueField } = this;
    const existing =
      uniqueField === null
        ? undefined
        : [...this.records].find(
            ([, one]) => one.type === type && one.fields[uniqueField] === item.fields[uniqueField],
          );
    if (existing !== undefined && item.fields[uniqueField ?? ''] !== undefined)
      return {
        kind: 'refused',
        code: 'already-exists',
        detail: '',
        existingId: asExternalId(existing[0]),
        field: null,
      };
    const id = asExternalId(String((this.next += 1)));
    this.records.set(id, { type, fields: item.fields, marker: item.marker, madeAtMs: this.now() });
    return confirmed(id, item.fields, true);
  }

  private byId(id: ExternalId): { kind: 'found'; record: FoundRecord } | undefined {
    const record = this.records.get(id);
    return (
      record && {
        kind: 'found',
        record: { externalId: id, stored: record.fields, versionToken: null, archived: false },
      }
    );
  }

  private probe(type: RecordType, item: ProbeItem): FindResult {
    if (item.externalId !== null) return this.byId(item.externalId) ?? { kind: 'absent' };
    const lagMs = this.offered.strongProbe ? 0 : this.indexLagMs;
    const own = [...this.records].filter(
      ([, one]) => one.marker === item.marker && this.now() - one.madeAtMs >= lagMs,
    );
    const [first] = own;
    return first === undefined
      ? this.search(type, item.fields, lagMs)
      : (this.byId(asExternalId(first[0])) ?? { kind: 'absent' });
  }

  private search(type: RecordType, fields: Fields, lagMs: number): FindResult {
    const keys = ['email', 'domain'].filter((key) => fields[key] !== undefined);
    const hits = [...this.records].filter(
      ([, one]) =>
        one.type === type &&
        this.now() - one.madeAtMs >= lagMs &&
        keys.some((key) => one.fields[key] === fields[key]),
    );
    const found = hits.flatMap(([id]) => this.byId(asExternalId(id)) ?? []);
    const [first] = found;
    if (first === undefined) return { kind: 'absent' };
    return found.length === 1
      ? first
      : { kind: 'ambiguous', records: found.map(({ record }) => record) };
  }
}

const refusal = (code: string): WriteResult => ({
  kind: 'refused',
  code,
  detail: '',
  existingId: null,
  field: null,
});

const confirmed = (
  externalId: ExternalId,
  stored: Fields,
  created: boolean | null,
): WriteResult => ({
  kind: 'confirmed',
  externalId,
  stored,
  versionToken: null,
  created,
});
