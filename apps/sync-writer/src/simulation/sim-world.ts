import {
  asEventKey,
  asExternalId,
  hash128,
  type Fields,
  type Relation,
  type SourceEvent,
} from '@counterpart/sync-model';
import { LaneRunner } from '../application/run-lanes.js';
import { headBudget } from '../domain/retry.js';
import { app, crm as crmId, event, noMetrics, plan, tenantId } from '../testing/builders.js';
import { Chance } from './chance.js';
import { FaultCount, noFaults, type FaultRates } from './faults.js';
import { memoryIdentity } from './memory-identity.js';
import { memoryLanes } from './memory-lanes.js';
import { MemoryTables } from './memory-tables.js';
import { memoryWrites } from './memory-writes.js';
import { spoiledWrites, type Sabotage } from './sabotage.js';
import { SimCrm, type CrmChange, type CrmNature } from './sim-crm.js';
import { AnswerLost, SimProcess, type ProcessWorld } from './sim-process.js';
import { startReconciler } from './sim-reconciler.js';
import { VirtualTime } from './virtual-time.js';

const startMs = 1_800_000_000_000;
/** Faults happen for so long; then the world must come to rest by itself. */
const stormMs = 180_000;
const patienceMs = 4 * 3_600_000;

/** Something somebody said of a person's phone, and when. */
export interface Saying {
  readonly email: string;
  readonly phone: string;
  readonly atMs: number;
}

/** A world at its end. */
export interface EndedWorld {
  readonly seed: number;
  readonly isAtRest: boolean;
  readonly tables: MemoryTables;
  readonly crm: SimCrm;
  readonly faults: Readonly<Record<string, number>>;
  readonly people: readonly string[];
  readonly companies: readonly string[];
  readonly meetings: readonly string[];
  readonly sayings: readonly Saying[];
  /** Faults of our own code, by message. */
  readonly broken: readonly string[];
  readonly lastedMs: number;
}

const domains = ['analytical.example', 'engine.example'];

/** One seed is one world: what is pushed, what the CRM is like, what goes wrong and when. */
export class SimWorld implements ProcessWorld {
  readonly time = new VirtualTime(startMs);
  readonly chance: Chance;
  readonly faults = new FaultCount();
  readonly tables = new MemoryTables();
  private readonly crm: SimCrm;
  private readonly sayings: Saying[] = [];
  private readonly people: string[];
  private readonly companies = new Set<string>();
  private readonly meetings: string[] = [];
  private readonly broken: string[] = [];
  /** Pushes, edits and webhooks that are still to come. */
  private toCome = 0;
  private changes = 0;
  private readonly heard = new Map<string, number>();

  constructor(
    readonly seed: number,
    private readonly stormRates: FaultRates,
    private readonly sabotage: Sabotage | null = null,
  ) {
    this.chance = new Chance(seed);
    this.crm = new SimCrm(natureOf(this.chance), this, (change) => this.tell(change));
    this.people = Array.from(
      { length: this.chance.whole(1, 4) },
      (_, n) => `p${n}@${this.chance.oneOf(domains)}`,
    );
  }

  rates(): FaultRates {
    return this.time.nowMs() - startMs < stormMs ? this.stormRates : noFaults;
  }

  async run(): Promise<EndedWorld> {
    for (const email of this.people) this.arrange(email);
    for (const name of ['w1', 'w2'])
      new SimProcess(this, (process) => this.startWriter(process, name));
    new SimProcess(this, (process) =>
      startReconciler(process, this.crm.adapter, this.tables, {
        nowMs: this.time.nowMs,
        isHasty: this.sabotage === 'absence-believed-early',
      }),
    );
    const isAtRest = await this.time.run(
      () => this.toCome === 0 && this.tables.isAtRest(),
      startMs + patienceMs,
    );
    return {
      seed: this.seed,
      isAtRest,
      tables: this.tables,
      crm: this.crm,
      faults: this.faults.all(),
      people: this.people,
      companies: [...this.companies],
      meetings: this.meetings,
      sayings: this.sayings,
      broken: this.broken,
      lastedMs: this.time.nowMs() - startMs,
    };
  }

  /** All that will be pushed about one person, by several rows of the app, close together. */
  private arrange(email: string): void {
    const { chance } = this;
    const domain = email.slice(email.indexOf('@') + 1);
    this.companies.add(domain);
    for (let n = chance.whole(1, 4); n > 0; n -= 1) {
      const title = `${email} ${n}`;
      this.meetings.push(title);
      this.at(chance.between(0, 600), () => this.push(meetingOf(title, email, domain)));
    }
    for (let n = chance.whole(0, 3); n > 0; n -= 1) {
      const phone = `+1415555${String(chance.whole(1000, 9999))}`;
      this.at(chance.between(0, 60_000), () => {
        this.sayings.push({ email, phone, atMs: this.time.nowMs() });
        this.push({
          recordType: 'contact',
          externalId: asExternalId(`${email}#${String(n % 2)}`),
          fields: { email, phone },
        });
      });
    }
    for (let n = chance.whole(0, 2); n > 0; n -= 1)
      this.at(chance.between(10_000, stormMs), () => this.editByHand(email));
  }

  private editByHand(email: string): void {
    const record = [...this.crm.records.values()].find(({ fields }) => fields['email'] === email);
    if (record === undefined) return;
    const phone = `+1212555${String(this.chance.whole(1000, 9999))}`;
    this.sayings.push({ email, phone, atMs: this.time.nowMs() });
    this.crm.edit(record.id, { phone });
  }

  private at(ms: number, run: () => void): void {
    this.toCome += 1;
    this.time.after(ms, () => {
      this.toCome -= 1;
      run();
    });
  }

  private push(parts: Partial<SourceEvent>): void {
    const nowMs = this.time.nowMs();
    const eventKey = asEventKey(hash128(`app|${String((this.changes += 1))}`));
    this.tables.keep(event({ ...parts, sourceId: app, eventKey, occurredAtMs: nowMs }), nowMs);
  }

  /**
   * A webhook comes late, perhaps twice, in any order. The gate before us recognises what we wrote
   * ourselves; a creation is let through as a hint whoever made it.
   */
  private tell({ record, kind, fields, atMs, byHand }: CrmChange): void {
    if (kind === 'changed' && !byHand) return;
    const told = event({
      sourceId: crmId,
      recordType: record.type,
      externalId: record.id,
      kind,
      shape: kind === 'created' ? 'hint' : 'delta',
      fields: kind === 'created' ? {} : fields,
      eventKey: asEventKey(hash128(`crm|${String((this.changes += 1))}`)),
      occurredAtMs: atMs,
    });
    const isTwice = this.chance.happens(this.rates().twiceDelivered);
    if (isTwice) this.faults.add('twiceDelivered');
    for (let times = isTwice ? 2 : 1; times > 0; times -= 1)
      this.at(this.chance.between(10, 20_000), () => this.hear(told));
  }

  /** The gate lets no statement pass that is older than what it has let pass of the same field. */
  private hear(told: SourceEvent): void {
    const isOld = Object.keys(told.fields).some((field) => {
      const key = `${told.externalId}|${field}`;
      const known = this.heard.get(key) ?? Number.NEGATIVE_INFINITY;
      if (told.occurredAtMs < known) return true;
      this.heard.set(key, told.occurredAtMs);
      return false;
    });
    if (!isOld) this.tables.keep(told, this.time.nowMs());
  }

  /** A poll that would find nothing is left out: it costs the simulation time and tells nothing. */
  private nextLookMs(): number {
    const pollMs = this.chance.between(20, 150);
    const due = [...this.tables.lanes.values()].flatMap((lane) =>
      lane.isOpen ? [lane.dueAtMs] : [],
    );
    const untilMs = Math.min(...due) - this.time.nowMs();
    return Math.min(Math.max(pollMs, untilMs), 1_000);
  }

  private startWriter(process: SimProcess, name: string): void {
    const { tables, crm } = this;
    const clock = this.time.clock(this.chance.whole(0, 400));
    const dbWorld = { tenantId, nowMs: this.time.nowMs, uuid: this.chance.uuid };
    const adapter = process.port(crm.adapter, 'crm');
    const { requestDeadlineMs, longestRunMs, indexLagMs } = crm.nature;
    const runner = new LaneRunner({
      lanes: process.port(
        memoryLanes(tables, {
          ...dbWorld,
          owner: name,
          leaseMs: 10_000,
          hasEpochs: this.sabotage !== 'lane-epoch-ignored',
        }),
        'store',
      ),
      identity: process.port(
        memoryIdentity(tables, this.sabotage !== 'lane-epoch-ignored'),
        'store',
      ),
      writes: process.port(
        spoiledWrites(memoryWrites(tables, dbWorld), tables, this.sabotage),
        'store',
      ),
      edges: process.port(edgesOf(tables), 'store'),
      sources: {
        planOf: () => Promise.resolve(plan),
        open: () =>
          Promise.resolve({
            ok: true,
            provider: 'hubspot',
            adapter,
            capabilities: new Map(
              ['company', 'contact', 'meeting'].map((type) => [type, crm.offers(type)]),
            ),
            timing: { requestDeadlineMs, crmLongestRunMs: longestRunMs, indexLagMs },
          }),
      },
      clock,
      random: this.chance,
      budget: headBudget,
      metrics: noMetrics,
      tracing: { pass: (_items, work) => work(), ended: () => undefined },
      onBroken: (error) => {
        if (!(error instanceof AnswerLost)) this.broken.push(String(error));
      },
      isInfrastructure: (error) => error instanceof AnswerLost,
      wakeOthers: () => undefined,
    });
    void forEver(
      process,
      () => this.nextLookMs(),
      () => runner.round(),
    );
    void forEver(
      process,
      () => 3_000,
      () => runner.renew(),
    );
    void forEver(
      process,
      () => 10_000,
      () => runner.sweep(),
    );
  }
}

/** As the loop of the service does it: a fault ends the round, not the loop. */
const forEver = async (
  process: SimProcess,
  afterMs: () => number,
  work: () => Promise<unknown>,
): Promise<void> => {
  for (;;) {
    await process.sleep(afterMs());
    await work().catch(() => undefined);
  }
};

const natureOf = (chance: Chance): CrmNature => ({
  unique: { contact: chance.happens(0.4) ? 'email' : undefined },
  hasMarker: chance.happens(0.4),
  indexLagMs: chance.whole(0, 3_000),
  requestDeadlineMs: 10_000,
  longestRunMs: 40_000,
});

const edgesOf = (tables: MemoryTables) => ({
  missing: <E extends object>(edges: readonly E[]) =>
    Promise.resolve(edges.filter((edge) => !tables.edges.has(JSON.stringify(edge)))),
  record: (edges: readonly object[]) => {
    for (const edge of edges) tables.edges.add(JSON.stringify(edge));
    return Promise.resolve();
  },
});

const mention = (
  role: string,
  recordType: string,
  fields: Fields,
  relations: readonly Relation[] = [],
): Relation => ({ role, recordType, externalId: null, fields, relations });

const meetingOf = (title: string, email: string, domain: string): Partial<SourceEvent> => ({
  recordType: 'meeting',
  externalId: asExternalId(title),
  kind: 'created',
  fields: { title },
  relations: [
    mention('attendee', 'contact', { email, firstName: 'Ada' }, [
      mention('company', 'company', { domain }),
    ]),
  ],
});
