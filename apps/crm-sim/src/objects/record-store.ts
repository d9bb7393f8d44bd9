import { splitList } from '../properties/values.js';
import type { ObjectType } from './object-types.js';
import { isLive, type CrmRecord } from './record.js';

/** Ids of real portals passed 2^31 long ago; the start also makes them easy to spot in logs. */
const FIRST_ID = 51_000_000_001;

/**
 * The records of one portal with the indexes that make unique values unique. Ids count per type, so
 * a contact and a company may share one: whoever forgets the type in a key finds out here.
 */
export class RecordStore {
  private readonly records = new Map<string, Map<string, CrmRecord>>();
  private readonly unique = new Map<string, Map<string, string>>();
  private readonly lastIds = new Map<string, number>();

  nextId(type: ObjectType): string {
    const id = (this.lastIds.get(type.name) ?? FIRST_ID - 1) + 1;
    this.lastIds.set(type.name, id);
    return String(id);
  }

  /** The record under exactly this id, whatever its state. */
  find(type: ObjectType, id: string): CrmRecord | undefined {
    return this.of(type).get(id);
  }

  /** The record this id stands for today: a merged-away id answers with its survivor. */
  resolve(type: ObjectType, id: string): CrmRecord | undefined {
    let record = this.find(type, id);
    while (record?.mergedInto) record = this.find(type, record.mergedInto);
    return record?.erased ? undefined : record;
  }

  /** The live record that holds a unique value. */
  findUnique(type: ObjectType, property: string, value: string): CrmRecord | undefined {
    const id = this.uniqueOf(type, property).get(value.toLowerCase());
    return id === undefined ? undefined : this.find(type, id);
  }

  all(type: ObjectType): IterableIterator<CrmRecord> {
    return this.of(type).values();
  }

  add(record: CrmRecord): void {
    this.of(record.type).set(record.id, record);
  }

  /** Lets go of the unique values of a record, e.g. before they change or when it leaves. */
  releaseUnique(record: CrmRecord, names: readonly string[]): void {
    for (const [property, value] of uniqueValues(record, names)) {
      const index = this.uniqueOf(record.type, property);
      if (index.get(value) === record.id) index.delete(value);
    }
  }

  holdUnique(record: CrmRecord, names: readonly string[]): void {
    for (const [property, value] of uniqueValues(record, names)) {
      this.uniqueOf(record.type, property).set(value, record.id);
    }
  }

  countLive(type: ObjectType): number {
    let count = 0;
    for (const record of this.all(type)) if (isLive(record)) count += 1;
    return count;
  }

  private of(type: ObjectType): Map<string, CrmRecord> {
    const known = this.records.get(type.name) ?? new Map<string, CrmRecord>();
    this.records.set(type.name, known);
    return known;
  }

  private uniqueOf(type: ObjectType, property: string): Map<string, string> {
    const key = `${type.name}/${property}`;
    const known = this.unique.get(key) ?? new Map<string, string>();
    this.unique.set(key, known);
    return known;
  }
}

/** Every unique value of a record, lower-cased. A contact's further addresses count as its email. */
function uniqueValues(record: CrmRecord, names: readonly string[]): [string, string][] {
  return names.flatMap((name): [string, string][] => {
    const own = record.properties.get(name);
    const further =
      name === 'email' ? splitList(record.properties.get('hs_additional_emails')) : [];
    return [own, ...further]
      .filter((value) => value !== undefined && value !== '')
      .map((value): [string, string] => [name, String(value).toLowerCase()]);
  });
}
