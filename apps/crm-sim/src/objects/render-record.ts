import type { Portal } from '../portals/portal.js';
import { instantText, shownValue } from '../properties/values.js';
import type { CrmRecord } from './record.js';

/** What a read asks to see. */
export interface View {
  /** Null: the type's default properties. */
  readonly properties: readonly string[] | null;
  readonly history: readonly string[];
  /** Object types whose links to show, by the names the caller used. */
  readonly associations: readonly string[];
}

export const DEFAULT_VIEW: View = { properties: null, history: [], associations: [] };

/** The facts HubSpot keeps about a record beside what was written. */
export function systemProperties(
  record: Pick<CrmRecord, 'type' | 'id' | 'createdAtMs' | 'updatedAtMs'>,
): Record<string, string> {
  return {
    [record.type.createdProperty]: instantText(record.createdAtMs),
    [record.type.modifiedProperty]: instantText(record.updatedAtMs),
    hs_object_id: record.id,
  };
}

/** The record as the objects API shows it: text or null, never any other type. */
export function renderRecord(
  portal: Portal,
  record: CrmRecord,
  view: View,
): Record<string, unknown> {
  const wanted = view.properties ?? record.type.defaultProperties;
  const { source, sourceId } = record.createdBy;
  const system: Record<string, string> = {
    ...systemProperties(record),
    hs_object_source: source,
    hs_object_source_id: sourceId,
    hs_object_source_label: source,
  };
  const properties: Record<string, string | null> = systemProperties(record);
  for (const name of wanted) {
    const definition = portal.properties.find(record.type, name);
    if (!definition) continue;
    const value = system[name] ?? record.properties.get(name);
    properties[name] = value === undefined ? null : shownValue(definition, value);
  }
  return {
    id: record.id,
    properties,
    ...(view.history.length > 0 && {
      propertiesWithHistory: renderHistory(portal, record, view.history),
    }),
    createdAt: instantText(record.createdAtMs),
    updatedAt: instantText(record.updatedAtMs),
    archived: record.archivedAtMs !== null,
    ...(record.archivedAtMs !== null && { archivedAt: instantText(record.archivedAtMs) }),
    ...renderAssociations(portal, record, view.associations),
  };
}

function renderHistory(portal: Portal, record: CrmRecord, names: readonly string[]) {
  const shown = names.filter((name) => portal.properties.find(record.type, name));
  return Object.fromEntries(
    shown.map((name) => [
      name,
      (record.history.get(name) ?? []).map((version) => ({
        value: shownValue(portal.properties.find(record.type, name), version.value),
        timestamp: instantText(version.atMs),
        sourceType: version.origin.source,
        sourceId: version.origin.sourceId,
        ...(version.origin.userId !== null && { updatedByUserId: version.origin.userId }),
      })),
    ]),
  );
}

function renderAssociations(portal: Portal, record: CrmRecord, names: readonly string[]) {
  const shown = names.flatMap((name) => {
    const to = portal.type(name);
    const edges = to ? portal.associations.list(record.type.name, record.id, to.name) : [];
    if (!to || edges.length === 0) return [];
    const results = edges.map((edge) => ({
      id: edge.toId,
      type: `${record.type.singular}_to_${to.singular}`,
    }));
    return [[to.name, { results }] as const];
  });
  return shown.length > 0 ? { associations: Object.fromEntries(shown) } : {};
}
