import type { AssociationType } from '../associations/association-types.js';
import type { ObjectType } from '../objects/object-types.js';
import type { ChangeOrigin } from '../objects/record.js';
import type { Random } from '../portals/random.js';
import type { WebhookEvent } from './webhook-event.js';

/** What a merge did, in the three ids of its event. */
export interface MergeFacts {
  readonly primaryId: string;
  readonly mergedIds: readonly string[];
  readonly newId: string;
  readonly movedCount: number;
}

/** What every event starts with. */
interface Subject {
  readonly type: ObjectType;
  readonly id: string;
  readonly origin: ChangeOrigin;
  readonly atMs: number;
}

/** Makes the events of one portal in HubSpot's shape. */
export class EventFactory {
  private readonly subscriptions = new Map<string, number>();
  private lastEventId = 0;

  constructor(
    private readonly portalId: number,
    private readonly appId: number,
    private readonly random: Random,
  ) {}

  creation(subject: Subject): WebhookEvent {
    return this.event(subject, 'creation', { changeFlag: 'CREATED' });
  }

  deletion(subject: Subject): WebhookEvent {
    return this.event(subject, 'deletion', { changeFlag: 'DELETED' });
  }

  restore(subject: Subject): WebhookEvent {
    return this.event(subject, 'restore', { changeFlag: 'RESTORED' });
  }

  privacyDeletion(subject: Subject): WebhookEvent {
    return this.event(subject, 'privacyDeletion', { changeFlag: 'DELETED' });
  }

  propertyChange(subject: Subject, propertyName: string, propertyValue: string): WebhookEvent {
    return this.event(subject, 'propertyChange', { propertyName, propertyValue });
  }

  merge(subject: Subject, merge: MergeFacts): WebhookEvent {
    return this.event(subject, 'merge', {
      primaryObjectId: Number(merge.primaryId),
      mergedObjectIds: merge.mergedIds.map(Number),
      newObjectId: Number(merge.newId),
      numberOfPropertiesMoved: merge.movedCount,
    });
  }

  /**
   * One side of a link that appeared or went. Pairs in which both ends have events of their own get
   * `contact.associationChange` and the like; any other pair gets the generic event.
   */
  associationChange(
    subject: Subject,
    to: { readonly type: ObjectType; readonly id: string },
    link: AssociationType,
    removed: boolean,
  ): WebhookEvent {
    const ends = { fromObjectId: Number(subject.id), toObjectId: Number(to.id) };
    const isPrimaryAssociation = link.label === 'Primary';
    const flags = { associationRemoved: removed, isPrimaryAssociation };
    const ownEvents = [subject.type, to.type].every((type) => type.webhookPrefix !== 'object');
    if (ownEvents) {
      const associationType = `${subject.type.singular}_to_${to.type.singular}`.toUpperCase();
      return this.event(subject, 'associationChange', { associationType, ...ends, ...flags });
    }
    const generic = { ...subject, type: { ...subject.type, webhookPrefix: 'object' } };
    return this.event(generic, 'associationChange', {
      associationTypeId: link.typeId,
      associationCategory: 'HUBSPOT_DEFINED',
      fromObjectTypeId: subject.type.typeId,
      toObjectTypeId: to.type.typeId,
      ...ends,
      ...flags,
    });
  }

  private event(subject: Subject, what: string, extra: Partial<WebhookEvent>): WebhookEvent {
    const { type, origin } = subject;
    const subscriptionType = `${type.webhookPrefix}.${what}`;
    const isGeneric = type.webhookPrefix === 'object';
    return {
      eventId: this.nextEventId(),
      subscriptionId: this.subscriptionOf(
        `${subscriptionType}/${isGeneric ? type.typeId : ''}/${extra.propertyName ?? ''}`,
      ),
      portalId: this.portalId,
      appId: this.appId,
      occurredAt: subject.atMs,
      subscriptionType,
      objectId: Number(subject.id),
      ...(isGeneric && { objectTypeId: type.typeId, isSensitive: false }),
      changeSource: origin.source,
      sourceId: origin.sourceId,
      ...extra,
    };
  }

  /** HubSpot does not promise unique event ids, so one in eight is the one before it again. */
  private nextEventId(): number {
    if (this.lastEventId === 0 || this.random.fraction() >= 0.125) {
      this.lastEventId = this.random.between(1, 4_000_000_000);
    }
    return this.lastEventId;
  }

  private subscriptionOf(key: string): number {
    const known = this.subscriptions.get(key) ?? 2_000_001 + this.subscriptions.size;
    this.subscriptions.set(key, known);
    return known;
  }
}
