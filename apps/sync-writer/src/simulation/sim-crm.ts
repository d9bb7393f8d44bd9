import type {
  AssociateItem,
  CreateItem,
  CrmAdapter,
  FindResult,
  ProbeItem,
  ReadResult,
  RecordCapabilities,
  UpdateItem,
  WriteResult,
} from '@counterpart/crm-port';
import {
  asExternalId,
  type ExternalId,
  type Fields,
  type RecordType,
} from '@counterpart/sync-model';
import type { ProcessWorld } from './sim-process.js';

export interface CrmRecord {
  readonly id: ExternalId;
  readonly type: RecordType;
  readonly marker: string;
  readonly madeAtMs: number;
  fields: Fields;
}

/** What one simulated CRM is like. */
export interface CrmNature {
  /** It refuses a second record with the same value here. */
  readonly unique: Readonly<Record<RecordType, string | undefined>>;
  /** It can be read by our marker at once; else only its search can tell, which lags. */
  readonly hasMarker: boolean;
  readonly indexLagMs: number;
  readonly requestDeadlineMs: number;
  readonly longestRunMs: number;
}

/** What the CRM tells of a change, to nobody in particular. */
export interface CrmChange {
  readonly record: CrmRecord;
  readonly kind: 'created' | 'changed';
  readonly fields: Fields;
  readonly atMs: number;
  readonly byHand: boolean;
}

type Job<T> = () => T;

/**
 * A CRM that keeps its word and nothing more: what it accepted it does, some time, whether or not
 * anybody still listens. It never looks at who is asking.
 */
export class SimCrm {
  readonly records = new Map<ExternalId, CrmRecord>();
  readonly edges: AssociateItem[] = [];
  readonly writes: { readonly kind: 'create' | 'update'; readonly type: RecordType }[] = [];
  private ids = 100;

  constructor(
    readonly nature: CrmNature,
    private readonly world: ProcessWorld,
    private readonly onChange: (change: CrmChange) => void,
  ) {}

  /** A person at the keyboard. */
  edit(id: ExternalId, fields: Fields): void {
    this.store(id, fields, true);
  }

  readonly adapter: CrmAdapter = {
    prepare: () =>
      Promise.resolve(
        new Map(['company', 'contact', 'meeting'].map((type) => [type, this.offers(type)])),
      ),
    create: (type, items) => this.write(items, (item) => this.insert(type, item)),
    update: (type, items) => this.write(items, (item) => this.update(type, item)),
    associate: (items) => this.write(items, (item) => this.join(item)),
    read: (_type, ids) => this.read(ids, (id) => this.byId(id)),
    find: (type, items) => this.read(items, ({ fields }) => this.search(type, fields)),
    probe: (type, items) => this.read(items, (item) => this.probe(type, item)),
  };

  offers(type: RecordType): RecordCapabilities {
    const isEnforced = this.nature.unique[type] !== undefined;
    return {
      createPath: isEnforced ? 'conflict-adopt' : 'search-only',
      strongProbe: this.nature.hasMarker,
      findBeforeCreate: !isEnforced,
      batchMax: 100,
    };
  }

  private write<I>(
    items: readonly I[],
    effect: (item: I) => WriteResult,
  ): Promise<readonly WriteResult[]> {
    const { chance, faults, time } = this.world;
    const rates = this.world.rates();
    const { requestDeadlineMs, longestRunMs } = this.nature;
    const all = (result: WriteResult) => items.map(() => result);
    if (chance.happens(rates.throttled)) {
      faults.add('throttled');
      const retryAtMs = time.nowMs() + chance.whole(100, 5_000);
      return this.later(50, () => all({ kind: 'throttled', retryAtMs, code: 'rate-limit' }));
    }
    if (chance.happens(rates.lostRequest)) {
      faults.add('lostRequest');
      const ms = chance.oneOf([5, requestDeadlineMs]);
      return this.later(ms, () => all({ kind: 'unknown', code: 'connection-lost' }));
    }
    const isSlow = chance.happens(rates.slowWrite);
    if (isSlow) faults.add('slowWrite');
    const runMs = isSlow ? chance.between(5_000, longestRunMs) : chance.between(200, 800);
    const isLost = chance.happens(rates.lostAnswer);
    if (isLost) faults.add('lostAnswer');
    return new Promise((resolve) => {
      time.after(runMs, () => {
        const results = items.map(effect);
        if (!isLost) resolve(results);
      });
      const heardMs = isLost ? chance.oneOf([runMs / 2, requestDeadlineMs]) : requestDeadlineMs;
      time.after(heardMs, () => resolve(all({ kind: 'unknown', code: 'deadline' })));
    });
  }

  private read<I, R>(items: readonly I[], answer: (item: I) => R): Promise<readonly R[]> {
    return this.later(this.world.chance.between(50, 300), () => items.map(answer));
  }

  private later<T>(ms: number, job: Job<T>): Promise<T> {
    return new Promise((resolve) => this.world.time.after(ms, () => resolve(job())));
  }

  private insert(type: RecordType, { marker, fields }: CreateItem): WriteResult {
    const { time } = this.world;
    this.writes.push({ kind: 'create', type });
    const key = this.nature.unique[type];
    const there = [...this.records.values()].find(
      (one) => one.type === type && key !== undefined && one.fields[key] === fields[key],
    );
    if (there !== undefined)
      return {
        kind: 'refused',
        code: 'already-exists',
        detail: '',
        existingId: there.id,
        field: key ?? null,
      };
    const id = asExternalId(String((this.ids += 1)));
    const record: CrmRecord = { id, type, marker, fields, madeAtMs: time.nowMs() };
    this.records.set(id, record);
    this.onChange({ record, kind: 'created', fields, atMs: time.nowMs(), byHand: false });
    return stored(record, true);
  }

  private update(type: RecordType, { externalId, fields }: UpdateItem): WriteResult {
    this.writes.push({ kind: 'update', type });
    const record = this.store(externalId, fields, false);
    return record === undefined
      ? { kind: 'refused', code: 'not-found', detail: '', existingId: null, field: null }
      : stored(record, null);
  }

  private store(id: ExternalId, fields: Fields, byHand: boolean): CrmRecord | undefined {
    const record = this.records.get(id);
    if (record === undefined) return undefined;
    record.fields = { ...record.fields, ...fields };
    this.onChange({ record, kind: 'changed', fields, atMs: this.world.time.nowMs(), byHand });
    return record;
  }

  private join(item: AssociateItem): WriteResult {
    this.edges.push(item);
    return {
      kind: 'confirmed',
      externalId: item.fromId,
      stored: {},
      versionToken: null,
      created: null,
    };
  }

  private byId(id: ExternalId): ReadResult {
    const record = this.records.get(id);
    return record === undefined ? { kind: 'absent' } : found(record);
  }

  private probe(type: RecordType, { externalId, marker, fields }: ProbeItem): FindResult {
    if (externalId !== null) return this.byId(externalId);
    if (!this.nature.hasMarker) return this.search(type, fields);
    const own = [...this.records.values()].find((one) => one.marker === marker);
    return own === undefined ? this.search(type, fields) : found(own);
  }

  private search(type: RecordType, fields: Fields): FindResult {
    const seenMs = this.world.time.nowMs() - this.nature.indexLagMs;
    const keys = ['email', 'domain', 'title'].filter((key) => fields[key] !== undefined);
    const hits = [...this.records.values()].filter(
      (one) =>
        one.type === type &&
        one.madeAtMs <= seenMs &&
        keys.some((key) => one.fields[key] === fields[key]),
    );
    const [first] = hits;
    if (first === undefined) return { kind: 'absent' };
    return hits.length === 1
      ? found(first)
      : { kind: 'ambiguous', records: hits.map((one) => found(one).record) };
  }
}

const found = ({ id, fields }: CrmRecord) => ({
  kind: 'found' as const,
  record: { externalId: id, stored: fields, versionToken: null, archived: false },
});

const stored = ({ id, fields }: CrmRecord, created: boolean | null): WriteResult => ({
  kind: 'confirmed',
  externalId: id,
  stored: fields,
  versionToken: null,
  created,
});
