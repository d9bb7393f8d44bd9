/** One event of a delivery, without the attempt number, which changes with each delivery. */
export interface WebhookEvent {
  readonly eventId: number;
  readonly subscriptionId: number;
  readonly portalId: number;
  readonly appId: number;
  readonly occurredAt: number;
  readonly subscriptionType: string;
  readonly objectId: number;
  readonly objectTypeId?: string;
  readonly changeSource: string;
  readonly sourceId: string;
  readonly changeFlag?: string;
  readonly propertyName?: string;
  readonly propertyValue?: string;
  readonly isSensitive?: boolean;
  readonly primaryObjectId?: number;
  readonly mergedObjectIds?: readonly number[];
  readonly newObjectId?: number;
  readonly numberOfPropertiesMoved?: number;
  readonly associationType?: string;
  readonly associationTypeId?: number;
  readonly associationCategory?: string;
  readonly fromObjectTypeId?: string;
  readonly toObjectTypeId?: string;
  readonly fromObjectId?: number;
  readonly toObjectId?: number;
  readonly associationRemoved?: boolean;
  readonly isPrimaryAssociation?: boolean;
}
