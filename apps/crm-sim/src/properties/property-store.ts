import { refuse, ok, type Result } from '../answers/answer.js';
import { invalid, missingScope } from '../answers/errors.js';
import type { ObjectType } from '../objects/object-types.js';
import { standardGroup, standardProperties, type PropertyDefinition } from './definition.js';

/** HubSpot allows ten properties with unique values per object type. */
const UNIQUE_MAX = 10;

/** The property definitions of one portal. */
export class PropertyStore {
  private readonly byType = new Map<string, Map<string, PropertyDefinition>>();
  private readonly groups = new Map<string, Set<string>>();

  constructor(private readonly uniqueProperties: 'allowed' | 'forbidden') {}

  find(type: ObjectType, name: string): PropertyDefinition | undefined {
    return this.of(type).get(name);
  }

  list(type: ObjectType): PropertyDefinition[] {
    return [...this.of(type).values()];
  }

  groupsOf(type: ObjectType): Set<string> {
    const known = this.groups.get(type.name) ?? new Set([standardGroup(type.name)]);
    this.groups.set(type.name, known);
    return known;
  }

  /** Names whose values are unique within the type: custom ones, and a contact's `email`. */
  uniqueNames(type: ObjectType): string[] {
    return this.list(type)
      .filter((property) => property.hasUniqueValue)
      .map((property) => property.name);
  }

  /** Adds a custom property. Refused as HubSpot would: name taken, no right, limit, unknown group. */
  add(type: ObjectType, property: PropertyDefinition): Result<PropertyDefinition> {
    const problem = this.problemWith(type, property);
    if (problem) return problem;
    this.of(type).set(property.name, property);
    return ok(property);
  }

  remove(type: ObjectType, name: string): boolean {
    return this.of(type).delete(name);
  }

  private problemWith(type: ObjectType, property: PropertyDefinition): Result<never> | undefined {
    if (property.hasUniqueValue && this.uniqueProperties === 'forbidden') {
      return refuse(missingScope(`crm.schemas.${type.name}.write`));
    }
    if (this.of(type).has(property.name)) {
      return refuse({
        status: 409,
        category: 'OBJECT_ALREADY_EXISTS',
        subCategory: 'Properties.PROPERTY_EXISTS',
        message: `A property named '${property.name}' already exists.`,
      });
    }
    if (type.webhookPrefix !== 'object' && !this.groupsOf(type).has(property.groupName)) {
      return refuse(
        invalid(`Property group '${property.groupName}' does not exist.`, 'GROUP_DOES_NOT_EXIST'),
      );
    }
    const uniqueCustom = this.list(type).filter(
      (known) => known.hasUniqueValue && !known.hubspotDefined,
    );
    if (property.hasUniqueValue && uniqueCustom.length >= UNIQUE_MAX) {
      return refuse(
        invalid(`The limit of ${UNIQUE_MAX} unique properties is reached.`, 'UNIQUE_LIMIT'),
      );
    }
    return undefined;
  }

  private of(type: ObjectType): Map<string, PropertyDefinition> {
    const known = this.byType.get(type.name);
    if (known) return known;
    const fresh = new Map(
      standardProperties(type.name).map((property) => [property.name, property]),
    );
    this.byType.set(type.name, fresh);
    return fresh;
  }
}
