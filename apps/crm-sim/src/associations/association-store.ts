import type { AssociationType } from './association-types.js';

/** One end of a link as seen from the other. */
export interface Edge {
  readonly toType: string;
  readonly toId: string;
  readonly typeIds: readonly number[];
}

const endKey = (type: string, id: string): string => `${type}/${id}`;

/** The links of one portal. A link of one type between two records exists once, seen from both ends. */
export class AssociationStore {
  private readonly edges = new Map<string, Map<string, Set<number>>>();

  /** Adds a link, both ways. False when it was there already. */
  add(type: AssociationType, fromId: string, toId: string): boolean {
    const there = this.typesOf(type.from, fromId, type.to, toId);
    if (there.has(type.typeId)) return false;
    there.add(type.typeId);
    this.typesOf(type.to, toId, type.from, fromId).add(type.inverseTypeId);
    return true;
  }

  /** Removes one link type, both ways. False when it was not there. */
  remove(type: AssociationType, fromId: string, toId: string): boolean {
    const there = this.edges.get(endKey(type.from, fromId))?.get(endKey(type.to, toId));
    if (!there?.delete(type.typeId)) return false;
    this.edges
      .get(endKey(type.to, toId))
      ?.get(endKey(type.from, fromId))
      ?.delete(type.inverseTypeId);
    return true;
  }

  /** Every link of a record, optionally to one type only, in the order they were made. */
  list(fromType: string, fromId: string, toType?: string): Edge[] {
    const ends = this.edges.get(endKey(fromType, fromId)) ?? new Map<string, Set<number>>();
    return [...ends]
      .map(([key, typeIds]): Edge => {
        const cut = key.indexOf('/');
        return {
          toType: key.slice(0, cut),
          toId: key.slice(cut + 1),
          typeIds: [...typeIds].sort((a, b) => b - a),
        };
      })
      .filter(
        (edge) => edge.typeIds.length > 0 && (toType === undefined || edge.toType === toType),
      );
  }

  /** Forgets every link of a record, both ways. */
  clear(fromType: string, fromId: string): void {
    for (const edge of this.list(fromType, fromId)) {
      this.edges.get(endKey(edge.toType, edge.toId))?.delete(endKey(fromType, fromId));
    }
    this.edges.delete(endKey(fromType, fromId));
  }

  private typesOf(fromType: string, fromId: string, toType: string, toId: string): Set<number> {
    const fromKey = endKey(fromType, fromId);
    const ends = this.edges.get(fromKey) ?? new Map<string, Set<number>>();
    this.edges.set(fromKey, ends);
    const types = ends.get(endKey(toType, toId)) ?? new Set<number>();
    ends.set(endKey(toType, toId), types);
    return types;
  }
}
