import { AssociationStore } from '../associations/association-store.js';
import { AutomationRunner } from '../behaviour/automation-runner.js';
import {
  defaultBehaviour,
  patchBehaviour,
  type Behaviour,
  type BehaviourPatch,
} from '../behaviour/behaviour.js';
import { CallLog } from '../calls/call-log.js';
import { FaultPlan } from '../faults/fault-plan.js';
import { RateLimiter } from '../limits/rate-limiter.js';
import { customType, findType, STANDARD_TYPES, type ObjectType } from '../objects/object-types.js';
import type { ChangeOrigin } from '../objects/record.js';
import { RecordStore } from '../objects/record-store.js';
import { PropertyStore } from '../properties/property-store.js';
import { SearchIndex } from '../search/search-index.js';
import { httpDeliver, type Deliver } from '../webhooks/deliver.js';
import { EventFactory } from '../webhooks/event-factory.js';
import type { WebhookEvent } from '../webhooks/webhook-event.js';
import { WebhookQueue } from '../webhooks/webhook-queue.js';
import type { SimClock } from './clock.js';
import type { PortalSpec } from './portal-spec.js';
import { seededRandom, type Random } from './random.js';

/** Calls a portal remembers; counts go on beyond it. */
const CALLS_MAX = 200_000;

/** One isolated CRM account: its records, its rules and its moods. Nothing is shared with another. */
export class Portal {
  readonly types: readonly ObjectType[];
  readonly properties: PropertyStore;
  readonly records = new RecordStore();
  readonly associations = new AssociationStore();
  readonly limits = new RateLimiter();
  readonly calls = new CallLog(CALLS_MAX);
  readonly faults: FaultPlan;
  readonly webhooks: WebhookQueue;
  readonly events: EventFactory;
  readonly automations: AutomationRunner;
  readonly latencyRandom: Random;
  /** Access tokens handed out by refreshing, with their end. */
  readonly refreshedTokens = new Map<string, number>();
  /** Grows with every change of state; a call that moved it has committed. */
  changes = 0;
  private readonly indexes = new Map<string, SearchIndex>();
  private current: Behaviour;

  constructor(
    readonly spec: PortalSpec,
    readonly clock: SimClock,
    deliver?: Deliver,
  ) {
    const random = (concern: string): Random => seededRandom(`${spec.seed}/${concern}`);
    const send =
      deliver ?? (spec.webhookUrl ? httpDeliver(spec.webhookUrl, spec.clientSecret) : null);
    this.current = patchBehaviour(defaultBehaviour(), spec.behaviour);
    this.types = [...STANDARD_TYPES, ...spec.customTypes.map((name, i) => customType(name, i + 1))];
    this.properties = new PropertyStore(spec.uniqueProperties);
    this.faults = new FaultPlan(random('faults'), () => clock.nowMs());
    this.webhooks = new WebhookQueue(clock, random('webhooks'), () => this.current, send);
    this.events = new EventFactory(spec.portalId, spec.appId, random('events'));
    this.automations = new AutomationRunner(this);
    this.latencyRandom = random('latency');
  }

  get behaviour(): Behaviour {
    return this.current;
  }

  changeBehaviour(patch: BehaviourPatch): Behaviour {
    this.current = patchBehaviour(this.current, patch);
    return this.current;
  }

  type(name: string): ObjectType | undefined {
    return findType(this.types, name);
  }

  index(type: ObjectType): SearchIndex {
    const known = this.indexes.get(type.name) ?? new SearchIndex();
    this.indexes.set(type.name, known);
    return known;
  }

  /** The origin of every change that came through the API. */
  apiOrigin(): ChangeOrigin {
    const sourceId = this.spec.apiSourceId ?? String(this.spec.appId);
    return { source: 'INTEGRATION', sourceId, userId: null, depth: 0 };
  }

  publish(events: readonly WebhookEvent[]): void {
    events.forEach((event) => this.webhooks.publish(event));
  }

  /** Stops everything that would still happen by itself. */
  close(): void {
    this.webhooks.stop();
    this.automations.stop();
    this.faults.release();
  }
}
