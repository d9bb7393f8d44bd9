/** Paths of HubSpot's CRM API v3 (objects, properties) and v4 (associations). */
const objects = (objectName: string): string => `/crm/v3/objects/${encodeURIComponent(objectName)}`;

export const batchPath = (objectName: string, action: 'create' | 'update' | 'upsert'): string =>
  `${objects(objectName)}/batch/${action}`;

/** Archived records are asked for apart; live and archived never come in one answer. */
export const batchReadPath = (objectName: string, archived: boolean): string =>
  `${objects(objectName)}/batch/read?archived=${archived}`;

export const searchPath = (objectName: string): string => `${objects(objectName)}/search`;

export interface RecordQuery {
  readonly id: string;
  readonly idProperty: string | null;
  readonly archived: boolean;
  readonly properties: readonly string[];
}

export const recordPath = (objectName: string, query: RecordQuery): string => {
  const parameters = new URLSearchParams({
    properties: query.properties.join(','),
    archived: String(query.archived),
    ...(query.idProperty === null ? {} : { idProperty: query.idProperty }),
  });
  return `${objects(objectName)}/${encodeURIComponent(query.id)}?${parameters}`;
};

export const propertiesPath = (objectName: string): string =>
  `/crm/v3/properties/${encodeURIComponent(objectName)}`;

export const propertyPath = (objectName: string, property: string): string =>
  `${propertiesPath(objectName)}/${encodeURIComponent(property)}`;

/** The default (unlabelled) association of a pair of types; making it twice makes it once. */
export const associatePath = (fromObject: string, toObject: string): string =>
  `/crm/v4/associations/${encodeURIComponent(fromObject)}/${encodeURIComponent(toObject)}/batch/associate/default`;
