import type {
  CreateItem,
  CrmAdapter,
  FindResult,
  ProbeItem,
  RecordCapabilities,
  UpdateItem,
  WriteResult,
} from '@counterpart/crm-port';
import type { ExternalId, Fields, RecordType } from '@counterpart/sync-model';

let made = 0;
/** A marker as the writer gives it: 128 bits in uuid form, different for every record. */
export const newMarker = (): string =>
  `00000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`;

export const contact = (name: string, more: Fields = {}): CreateItem => ({
  marker: newMarker(),
  fields: { email: `${name}@example.com`, ...more },
});
export const company = (name: string): CreateItem => ({
  marker: newMarker(),
  fields: { domain: `${name}.example.com`, name },
});
export const meeting = (title: string): CreateItem => ({
  marker: newMarker(),
  fields: {
    title,
    startsAt: '2026-03-31T10:00:00.000Z',
    endsAt: '2026-03-31T11:00:00.000Z',
  },
});
export const sampleOf: Readonly<Record<string, (name: string) => CreateItem>> = {
  contact,
  company,
  meeting,
};

/** The same item as its probe: what the writer still knows after a lost answer. */
export const asProbe = (item: CreateItem): ProbeItem => ({ ...item, externalId: null });

export const only = <Item>(items: readonly Item[]): Item => {
  const [item] = items;
  if (item === undefined || items.length !== 1) {
    throw new Error(`expected one, got ${items.length}`);
  }
  return item;
};

export const idOf = (result: WriteResult): ExternalId => {
  if (result.kind !== 'confirmed') throw new Error(`not confirmed: ${JSON.stringify(result)}`);
  return result.externalId;
};

export const recordIn = (result: FindResult) => {
  if (result.kind !== 'found') throw new Error(`not found: ${JSON.stringify(result)}`);
  return result.record;
};

export const createOne = async (
  adapter: CrmAdapter,
  recordType: RecordType,
  item: CreateItem,
): Promise<ExternalId> => idOf(only(await adapter.create(recordType, [item])));

export const capabilitiesOf = async (
  adapter: CrmAdapter,
  recordType: RecordType,
): Promise<RecordCapabilities> => {
  const offered = await adapter.prepare();
  if ('code' in offered) throw new Error(`not prepared: ${offered.code}`);
  const capabilities = offered.get(recordType);
  if (capabilities === undefined) throw new Error(`${recordType} is not offered`);
  return capabilities;
};

/** Asks again until the answer fits or ten seconds are over; the last throw is thrown. */
export const eventually = async <Result>(probe: () => Promise<Result>): Promise<Result> => {
  const endsAtMs = performance.now() + 10_000;
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      if (performance.now() >= endsAtMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/** One change of one record; no version is expected. */
export const change = (externalId: ExternalId, fields: Fields): UpdateItem => ({
  externalId,
  fields,
  expectedVersion: null,
});
