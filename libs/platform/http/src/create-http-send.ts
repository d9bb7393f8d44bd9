import type { HttpOutcome, HttpRequest, HttpSend } from '@counterpart/crm-port';
import { spanAttributes, withSpan } from '@counterpart/platform-telemetry';
import { Agent } from 'undici';
import { Exchange } from './exchange.js';
import { unsentCode } from './failure-code.js';
import { guardedLookup, resolveBySystem, type ResolveHost } from './guarded-lookup.js';
import { safeTarget } from './safe-target.js';

export interface HttpOptions {
  /** A longer answer is cut off and its request counts as unknown. Default 8 MiB. */
  readonly answerBytesMax?: number;
  /** For one connection, TLS included. Default 5 s. */
  readonly connectTimeoutMs?: number;
  /** Sockets to one origin at most; further requests wait, unsent. Default 32. */
  readonly connectionsMax?: number;
  readonly resolve?: ResolveHost;
  /** Against which `deadlineMs` is read. Default the machine's. */
  readonly clock?: { nowMs(): number };
}

export interface HttpClient {
  readonly send: HttpSend;
  /** Lets requests under way finish, then closes the sockets. */
  close(): Promise<void>;
}

const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 5_000;
const CONNECTIONS_MAX = 32;
/** Below what CRMs keep a socket open, so that a request seldom meets one that just closed. */
const KEEP_ALIVE_MS = 4_000;

/**
 * The way out to CRMs. It follows no redirect, repeats nothing, and never throws: every request
 * ends as an answer, `unsent` (no byte can have reached the peer) or `unknown`. No trace header
 * leaves; the span `crm.call` stays on our side.
 */
export function createHttpClient(options: HttpOptions = {}): HttpClient {
  // A socket opened under the permission to use private addresses must never serve a request
  // that lacks it, so each kind has its own sockets.
  const agents = { public: agentFor(options, false), any: agentFor(options, true) };
  return {
    send: (request) =>
      withSpan('crm.call', { kind: 'client', attributes: attributesOf(request) }, async (span) => {
        const agent = request.allowPrivateAddress ? agents.any : agents.public;
        const spanMs = request.deadlineMs - (options.clock?.nowMs() ?? Date.now());
        const bytesMax = options.answerBytesMax ?? ANSWER_BYTES_MAX;
        const outcome = await exchange(agent, request, spanMs, bytesMax);
        span.setAttributes({
          [spanAttributes.crmResult]: outcome.kind === 'answer' ? outcome.kind : outcome.code,
          [spanAttributes.httpStatus]: outcome.kind === 'answer' ? outcome.status : undefined,
        });
        return outcome;
      }),
    close: async () => {
      await Promise.all([agents.public.close(), agents.any.close()]);
    },
  };
}

/** `createHttpClient` for callers that never close it. */
export const createHttpSend = (options: HttpOptions = {}): HttpSend =>
  createHttpClient(options).send;

const agentFor = (options: HttpOptions, allowPrivateAddress: boolean): Agent =>
  new Agent({
    connections: options.connectionsMax ?? CONNECTIONS_MAX,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // The deadline of each request rules alone.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      lookup: guardedLookup(options.resolve ?? resolveBySystem, allowPrivateAddress),
    },
  });

/** Method and host only: a path can hold a person's address. */
function attributesOf(request: HttpRequest): Readonly<Record<string, string>> {
  const host = URL.canParse(request.url) ? new URL(request.url).hostname : '';
  return { [spanAttributes.httpMethod]: request.method, [spanAttributes.serverAddress]: host };
}

function exchange(
  agent: Agent,
  request: HttpRequest,
  spanMs: number,
  answerBytesMax: number,
): Promise<HttpOutcome> {
  if (spanMs <= 0) return Promise.resolve({ kind: 'unsent', code: 'deadline' });
  const target = safeTarget(request.url, request.allowPrivateAddress);
  if (!target.ok) return Promise.resolve({ kind: 'unsent', code: target.code });
  const { url } = target;
  return new Promise((resolve) => {
    const handler = new Exchange(answerBytesMax, (outcome) => {
      clearTimeout(timer);
      resolve(outcome);
    });
    const timer = setTimeout(() => handler.expire(), spanMs);
    try {
      agent.dispatch(
        {
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: request.method,
          headers: { ...request.headers },
          body: request.body ?? null,
        },
        handler,
      );
    } catch (error) {
      clearTimeout(timer);
      resolve({ kind: 'unsent', code: unsentCode(error) });
    }
  });
}
