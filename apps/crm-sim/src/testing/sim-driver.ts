import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject } from '../answers/json.js';
import { systemClock, type SimClock } from '../portals/clock.js';
import { startCrmSim, type RunningCrmSim } from '../server/crm-sim-server.js';

/** An answer with its body read as JSON (undefined when empty). */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** JSON whose members can be walked without asserting at every step. */
export type Json = {
  readonly [key: string]: Json;
} & { readonly [index: number]: Json };

type Body = Record<string, unknown> | readonly unknown[] | string;

/** One portal of a running simulator, as its two audiences see it. */
export interface DrivenPortal {
  readonly sim: RunningCrmSim;
  readonly portalId: number;
  readonly token: string;
  /** Calls the CRM API. Rejects when the connection breaks. */
  api(method: string, path: string, body?: Body, init?: RequestInit): Promise<Answered>;
  /** Calls the control API below this portal: `control('POST', 'faults', {…})`. */
  control(method: string, path: string, body?: Body): Promise<Answered>;
}

let portalsMade = 0;

/** Makes a portal without rate limits, so that a test states the limits it means. */
export async function openPortal(
  sim: RunningCrmSim,
  spec: Record<string, unknown> = {},
  behaviour: Record<string, unknown> = {},
): Promise<DrivenPortal> {
  const token = `token-${++portalsMade}`;
  const rateLimit = { perTenSeconds: null, searchPerSecond: null };
  const made = await call(`${sim.url}/_sim/portals`, 'POST', {
    accessToken: token,
    appId: 456,
    clientSecret: 'secret',
    ...spec,
    behaviour: { rateLimit, ...behaviour },
  });
  if (made.status !== 201) throw new Error(`no portal: ${JSON.stringify(made.body)}`);
  const portalId = Number(made.body['portalId']);
  const authorised = { Authorization: `Bearer ${token}` };
  return {
    sim,
    portalId,
    token,
    api: (method, path, body, init) =>
      call(`${sim.url}${path}`, method, body, { headers: authorised, ...init }),
    control: (method, path, body) =>
      call(`${sim.url}/_sim/portals/${portalId}/${path}`, method, body),
  };
}

/** Starts a simulator on any free port, in real time unless given another. */
export const startSim = (clock: SimClock = systemClock): Promise<RunningCrmSim> =>
  startCrmSim({ host: '127.0.0.1', port: 0, clock });

async function call(
  url: string,
  method: string,
  body?: Body,
  init: RequestInit = {},
): Promise<Answered> {
  const answer = await fetch(url, {
    method,
    ...init,
    headers: {
      'Content-Type': 'application/json',
      ...(isObject(init.headers) ? init.headers : {}),
    } as Record<string, string>,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: jsonOf(text) };
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return { text } as unknown as Json;
  }
}

/** Waits until `check` gives something true; throws with the last word after the deadline. */
export async function until<T>(
  check: () => T | Promise<T>,
  timeoutMs = 3_000,
): Promise<NonNullable<T>> {
  const endMs = Date.now() + timeoutMs;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > endMs) throw new Error(`not within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** One webhook request as an app received it. */
export interface ReceivedDelivery {
  readonly headers: Record<string, string | undefined>;
  readonly body: string;
  readonly events: readonly Json[];
}

export interface WebhookReceiver {
  readonly url: string;
  readonly deliveries: ReceivedDelivery[];
  events(): Json[];
  close(): Promise<void>;
}

/** An app's endpoint. `statusOf` decides each answer; null never answers. */
export async function receiveWebhooks(
  statusOf: (nth: number) => number | null = () => 200,
): Promise<WebhookReceiver> {
  const deliveries: ReceivedDelivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([k, v]) => [k, v?.toString()]),
      );
      deliveries.push({ headers, body, events: JSON.parse(body) as Json[] });
      const status = statusOf(deliveries.length);
      if (status !== null) response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/webhooks/acme?tag=a%2Cb`,
    deliveries,
    events: () => deliveries.flatMap((delivery) => delivery.events),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
