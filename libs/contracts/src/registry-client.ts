/**
 * The six calls of the Confluent registry API that we use, over fetch. No retries and no cache:
 * both belong to the callers, which know whether a wait is acceptable.
 */

/** The registry answered with an error, or not at all (`status` 0). */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
  /** HTTP status; 0 when no answer came. */
  readonly status: number;

  constructor(status: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

export interface RegistryClient {
  /** Text of the schema with this id, or null when the registry has none. */
  schemaById(id: number): Promise<string | null>;
  /** Id of exactly this schema under the subject, or null. */
  idOf(subject: string, schemaJson: string): Promise<number | null>;
  /** Registers a version and returns its id; status 409 when it is not compatible. */
  register(subject: string, schemaJson: string): Promise<number>;
  /** The subject's own compatibility level, or null when none was set. */
  compatibility(subject: string): Promise<string | null>;
  setCompatibility(subject: string, level: string): Promise<void>;
}

const requestDeadlineMs = 5_000;
const contentType = 'application/vnd.schemaregistry.v1+json';

function fieldOf(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined;
  return (body as Record<string, unknown>)[name];
}

/** A client for `registryUrl`, for example `http://127.0.0.1:28081/apis/ccompat/v7`. */
export function createRegistryClient(registryUrl: string): RegistryClient {
  const base = registryUrl.replace(/\/+$/, '');

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(base + path, {
        method,
        headers: { accept: contentType, 'content-type': contentType },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(requestDeadlineMs),
      });
      text = await response.text();
    } catch (error) {
      throw new RegistryError(0, `The schema registry at ${base} does not answer.`, error);
    }
    if (!response.ok) {
      throw new RegistryError(response.status, `The schema registry answered ${response.status}.`);
    }
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new RegistryError(response.status, 'The schema registry did not answer JSON.', error);
    }
  }

  async function callOrNull(method: string, path: string, body?: object): Promise<unknown> {
    try {
      return await call(method, path, body);
    } catch (error) {
      if (error instanceof RegistryError && error.status === 404) return null;
      throw error;
    }
  }

  const idIn = (body: unknown): number => {
    const id = fieldOf(body, 'id');
    if (typeof id !== 'number') throw new RegistryError(200, 'The schema registry sent no id.');
    return id;
  };
  const path = (subject: string): string => encodeURIComponent(subject);

  return {
    async schemaById(id) {
      const body = await callOrNull('GET', `/schemas/ids/${id}`);
      const schema = fieldOf(body, 'schema');
      return typeof schema === 'string' ? schema : null;
    },
    async idOf(subject, schemaJson) {
      const body = await callOrNull('POST', `/subjects/${path(subject)}`, { schema: schemaJson });
      return body === null ? null : idIn(body);
    },
    async register(subject, schemaJson) {
      const body = { schema: schemaJson, schemaType: 'AVRO' };
      return idIn(await call('POST', `/subjects/${path(subject)}/versions`, body));
    },
    async compatibility(subject) {
      const body = await callOrNull('GET', `/config/${path(subject)}`);
      const level = fieldOf(body, 'compatibilityLevel');
      return typeof level === 'string' ? level : null;
    },
    async setCompatibility(subject, level) {
      await call('PUT', `/config/${path(subject)}`, { compatibility: level });
    },
  };
}
