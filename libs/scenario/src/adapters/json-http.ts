import { request } from 'undici';

export interface HttpReply {
  readonly status: number;
  /** Parsed JSON; undefined when the body is none. */
  readonly body: unknown;
  readonly retryAfterMs: number | null;
}

/** Nothing answered at that address, or not in time. */
export class Unreachable extends Error {
  constructor(url: string, cause: unknown) {
    const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined;
    super(`no answer from ${url} (${typeof code === 'string' ? code : String(cause)})`);
  }
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** One request, no retries. Throws Unreachable; every HTTP status is a reply. */
export async function exchange(
  method: Method,
  url: string,
  options: {
    readonly text?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
  } = {},
): Promise<HttpReply> {
  const { text, headers = {}, timeoutMs = 15_000 } = options;
  try {
    const answer = await request(url, {
      method,
      headers: {
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: text ?? null,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const raw = await answer.body.text();
    const seconds = Number(answer.headers['retry-after']);
    return {
      status: answer.statusCode,
      body: jsonOrNothing(raw),
      retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : null,
    };
  } catch (cause) {
    throw new Unreachable(url, cause);
  }
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A service answered what it should not. */
export class UnexpectedReply extends Error {
  constructor(what: string, reply: HttpReply) {
    super(
      `${what} was answered ${reply.status}: ${JSON.stringify(reply.body)?.slice(0, 300) ?? ''}`,
    );
  }
}

/** The body of a 2xx reply; throws UnexpectedReply otherwise. */
export async function call(
  method: Method,
  url: string,
  value?: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const reply = await exchange(
    method,
    url,
    value === undefined ? {} : { text: JSON.stringify(value) },
  );
  if (reply.status < 200 || reply.status > 299)
    throw new UnexpectedReply(`${method} ${url}`, reply);
  return objectOf(reply.body);
}

/** Readers of plain JSON: what is not there is empty, never undefined. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
export const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map(objectOf) : [];
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
export const textOrNull = (value: unknown): string | null =>
  value === undefined || value === null ? null : textOf(value);
export const numberOf = (value: unknown): number => (value === null ? 0 : Number(value ?? 0));
export const numberOrNull = (value: unknown): number | null =>
  value === undefined || value === null ? null : Number(value);
