import type { HubSpotError } from './answer.js';

/** One value HubSpot would not take. */
export interface ValueFault {
  readonly name: string;
  readonly error: string;
  readonly message: string;
}

/** 400 as for bad property values: the details are JSON inside the message, as the real API does. */
export function invalidValues(portalId: number, faults: readonly ValueFault[]): HubSpotError {
  const details = faults.map((fault) => ({
    isValid: false,
    message: fault.message,
    error: fault.error,
    name: fault.name,
    localizedErrorMessage: fault.message,
    portalId,
  }));
  return {
    status: 400,
    category: 'VALIDATION_ERROR',
    message: `Property values were not valid: ${JSON.stringify(details)}`,
    errors: faults.map((fault) => ({
      message: fault.message,
      code: fault.error,
      context: { propertyName: [fault.name] },
    })),
  };
}

/** 400 with a plain sentence. */
export const invalid = (message: string, code?: string): HubSpotError => ({
  status: 400,
  category: 'VALIDATION_ERROR',
  message,
  ...(code !== undefined && { errors: [{ message, code }] }),
});

/** 400 for a body that is JSON but not of the shape the endpoint reads. */
export const invalidInput = (problem: string): HubSpotError =>
  invalid(`Invalid input JSON: ${problem}`);

/** 409: the only place where the real API names the record that stands in the way. */
export const alreadyExists = (label: string, existingId: string): HubSpotError => ({
  status: 409,
  category: 'CONFLICT',
  message: `${label} already exists. Existing ID: ${existingId}`,
  itemContext: { existingId: [existingId] },
});

/** 404 for one record. */
export const notFound = (id: string): HubSpotError => ({
  status: 404,
  category: 'OBJECT_NOT_FOUND',
  message: 'Object not found.  objectId are usually numeric.',
  context: { id: [id] },
});

/** 404 for a path that does not exist. */
export const noSuchPath = (): HubSpotError => ({
  status: 404,
  category: 'OBJECT_NOT_FOUND',
  message: 'resource not found',
});

/** 401 for a missing or unknown token. */
export const unauthorised = (): HubSpotError => ({
  status: 401,
  category: 'INVALID_AUTHENTICATION',
  message:
    'Authentication credentials not found. This API supports OAuth 2.0 authentication and you can ' +
    'find more details at https://developers.hubspot.com/docs/methods/auth/oauth-overview',
});

/** 401 for a token whose time has passed. */
export const tokenExpired = (expiredAtMs: number, nowMs: number): HubSpotError => ({
  status: 401,
  category: 'EXPIRED_AUTHENTICATION',
  message: `The OAuth token used to make this call expired ${Math.max(0, Math.round((nowMs - expiredAtMs) / 1000))} second(s) ago.`,
  context: { 'expire time': [new Date(expiredAtMs).toISOString()] },
});

/** 403 for a scope the tenant never granted. */
export const missingScope = (scope: string): HubSpotError => ({
  status: 403,
  category: 'MISSING_SCOPES',
  message:
    "This app hasn't been granted all required scopes to make this call. Read more about required " +
    'scopes here: https://developers.hubspot.com/scopes.',
  errors: [
    {
      message: 'One or more of the following scopes are required.',
      context: { requiredGranularScopes: [scope] },
    },
  ],
});
