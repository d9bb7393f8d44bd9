import type {
  EntityId,
  ExternalId,
  Fields,
  OperationId,
  Provider,
  RecordType,
  SourceId,
  TenantId,
  UnknownOperation,
} from '@counterpart/sync-model';

/** A write whose outcome is unknown, taken to be looked for at its source. */
export interface Readback {
  readonly tenantId: TenantId;
  readonly operationId: OperationId;
  readonly operationVersion: number;
  readonly sourceId: SourceId;
  readonly provider: Provider;
  readonly recordType: RecordType;
  readonly entityId: EntityId;
  readonly action: 'create' | 'update';
  readonly externalId: ExternalId | null;
  readonly marker: string;
  readonly fields: Fields;
  readonly settleAtMs: number;
  /** Probes made before this one. */
  readonly attempts: number;
  readonly traceparent: string | null;
}

/**
 * When a source is first asked. Before the settle time "not there" proves nothing, and asking
 * earlier only spends search quota that the writer needs. The margin is for clocks of two machines.
 */
export const firstProbeAtMs = (settleAtMs: number): number => settleAtMs + CLOCK_MARGIN_MS;

const CLOCK_MARGIN_MS = 250;

/** The newest statement about each operation of a batch; a batch may hold several. */
export function newestOf<Item extends { readonly value: UnknownOperation }>(
  items: readonly Item[],
): readonly Item[] {
  const newest = new Map<string, Item>();
  for (const item of items) {
    const { tenantId, operationId, operationVersion } = item.value;
    const key = `${tenantId}\u001f${operationId}`;
    const known = newest.get(key);
    if (known === undefined || known.value.operationVersion <= operationVersion) {
      newest.set(key, item);
    }
  }
  return [...newest.values()];
}
