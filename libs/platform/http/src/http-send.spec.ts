import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { startTelemetry } from '@counterpart/platform-telemetry';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { HttpOutcome, HttpRequest } from '@counterpart/crm-port';
import { createHttpClient, type HttpClient, type HttpOptions } from './create-http-send.js';
import type { ResolveHost } from './guarded-lookup.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()));
});

const listening = async (server: NetServer, host = '127.0.0.1'): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
};

/** A raw peer: what it does with a connection is the test's choice. */
async function peer(
  onConnection: (socket: Socket) => void,
): Promise<{ port: number; received: string[] }> {
  const received: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => received.push(bytes.toString()));
    onConnection(socket);
  });
  cleanups.push(async () => sockets.forEach((socket) => socket.destroy()));
  return { port: await listening(server), received };
}

async function crm(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server: Server = createHttpServer(handle);
  server.keepAliveTimeout = 200;
  return `http://127.0.0.1:${await listening(server)}`;
}

const client = (options: HttpOptions = {}): HttpClient => {
  const http = createHttpClient(options);
  cleanups.push(() => http.close());
  return http;
};
const request = (url: string, change: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url,
  headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
  body: '{"a":1}',
  deadlineMs: Date.now() + 1_500,
  allowPrivateAddress: true,
  ...change,
});
const send = (url: string, change: Partial<HttpRequest> = {}, options: HttpOptions = {}) =>
  client(options).send(request(url, change));

test('an answer carries status, lower-case headers and body; the request arrives as it was', async () => {
  let seen = '';
  const base = await crm((incoming, response) => {
    incoming.on('data', (bytes: Buffer) => (seen += bytes.toString()));
    incoming.on('end', () => {
      seen = `${incoming.method} ${incoming.url} ${incoming.headers.authorization} ${seen}`;
      response.writeHead(429, { 'Retry-After': '3', 'X-Twice': ['a', 'b'] }).end('{"ä":1}');
    });
  });
  const outcome = await send(`${base}/crm/v3?limit=1`);
  expect(outcome).toMatchObject({
    kind: 'answer',
    status: 429,
    headers: { 'retry-after': '3', 'x-twice': 'a, b' },
    body: '{"ä":1}',
  });
  expect(seen).toBe('POST /crm/v3?limit=1 Bearer t {"a":1}');
});

test('each call is a span of ours that names host, method and outcome, and no path', async () => {
  const spans = new InMemorySpanExporter();
  const telemetry = startTelemetry({
    service: 'spec',
    processors: [new SimpleSpanProcessor(spans)],
  });
  const base = await crm((_incoming, response) => response.writeHead(404).end());
  await send(`${base}/crm/v3/objects/contacts/ann@acme.test?idProperty=email`);
  await send('https://10.0.0.1/', { allowPrivateAddress: false });
  const seen = spans.getFinishedSpans().map(({ name, attributes }) => ({ name, ...attributes }));
  await telemetry.shutdown();
  expect(seen).toEqual([
    {
      name: 'crm.call',
      'http.request.method': 'POST',
      'server.address': '127.0.0.1',
      'http.response.status_code': 404,
      'crm.result': 'answer',
    },
    {
      name: 'crm.call',
      'http.request.method': 'POST',
      'server.address': '10.0.0.1',
      'crm.result': 'private-address',
    },
  ]);
});

test('no trace header and no redirect leaves the house', async () => {
  const paths: string[] = [];
  let headers: string[] = [];
  const base = await crm((incoming, response) => {
    paths.push(incoming.url ?? '');
    headers = Object.keys(incoming.headers);
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  expect(await send(`${base}/x`)).toMatchObject({ kind: 'answer', status: 302 });
  expect(paths).toEqual(['/x']);
  expect(headers).not.toContain('traceparent');
});

describe('unsent: no byte can have reached the peer', () => {
  test('nobody listens', async () => {
    const server = createServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await send(`http://127.0.0.1:${port}/`)).toEqual({
      kind: 'unsent',
      code: 'connect-refused',
    });
  });

  test('the name does not resolve', async () => {
    const resolve: ResolveHost = () =>
      Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect(await send('http://crm.example.com/', {}, { resolve })).toEqual({
      kind: 'unsent',
      code: 'dns',
    });
    const empty: ResolveHost = () => Promise.resolve([]);
    expect(await send('http://crm.example.com/', {}, { resolve: empty })).toEqual({
      kind: 'unsent',
      code: 'dns',
    });
  });

  test('TLS fails', async () => {
    const { port, received } = await peer((socket) => socket.end('not tls at all\r\n\r\n'));
    const outcome = await send(`https://127.0.0.1:${port}/`);
    expect(outcome).toMatchObject({ kind: 'unsent', code: 'tls' });
    expect(received.join('')).not.toContain('POST');
  });

  test('TLS never ends within the time to connect', async () => {
    const { port } = await peer(() => undefined);
    const outcome = await send(`https://127.0.0.1:${port}/`, {}, { connectTimeoutMs: 100 });
    expect(outcome).toEqual({ kind: 'unsent', code: 'connect-timeout' });
  });

  test('the deadline comes while it waits for a free socket, and it is never sent later', async () => {
    const paths: string[] = [];
    let answerFirst = (): void => undefined;
    const base = await crm((incoming, response) => {
      paths.push(incoming.url ?? '');
      answerFirst = () => response.end('late');
    });
    const http = client({ connectionsMax: 1 });
    const first = http.send(request(`${base}/first`, { deadlineMs: Date.now() + 10_000 }));
    const second = await http.send(request(`${base}/second`, { deadlineMs: Date.now() + 150 }));
    expect(second).toEqual({ kind: 'unsent', code: 'deadline' });
    answerFirst();
    expect(await first).toMatchObject({ kind: 'answer', body: 'late' });
    const third = http.send(request(`${base}/third`));
    while (paths.length < 2) await new Promise(setImmediate);
    answerFirst();
    await third;
    expect(paths).toEqual(['/first', '/third']);
  });

  test('the deadline has passed before it begins', async () => {
    const outcome = await send('http://127.0.0.1:9/', { deadlineMs: Date.now() - 1 });
    expect(outcome).toEqual({ kind: 'unsent', code: 'deadline' });
  });

  test('the request itself cannot be sent', async () => {
    const base = await crm((_incoming, response) => response.end());
    const headers = { 'x-bad': 'a\r\nb: c' };
    expect(await send(base, { headers })).toEqual({ kind: 'unsent', code: 'invalid-request' });
  });
});

describe('unknown: the peer may have run it', () => {
  test.each<[string, (socket: Socket) => void, string]>([
    ['closes without an answer', (s) => void s.once('data', () => s.end()), 'connection-lost'],
    ['resets', (s) => void s.once('data', () => s.resetAndDestroy()), 'connection-lost'],
    [
      'answers nonsense',
      (s) => void s.once('data', () => s.end('250 OK smtp\r\n')),
      'answer-invalid',
    ],
    [
      'ends in the middle of the answer',
      (s) => void s.once('data', () => s.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1234')),
      'connection-lost',
    ],
    ['never answers', () => undefined, 'deadline'],
    [
      'begins an answer and stops',
      (s) => void s.once('data', () => s.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1234')),
      'deadline',
    ],
    [
      'sends headers without end',
      (s) => void s.once('data', () => s.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}`)),
      'answer-invalid',
    ],
  ])('the peer %s', async (_what, behave, code) => {
    const { port, received } = await peer(behave);
    const outcome = await send(`http://127.0.0.1:${port}/`, { deadlineMs: Date.now() + 300 });
    expect(outcome).toEqual({ kind: 'unknown', code });
    expect(received.join('')).toContain('{"a":1}');
  });

  test('the deadline closes the socket', async () => {
    const closed: boolean[] = [];
    const { port } = await peer((socket) => socket.on('close', () => closed.push(true)));
    await send(`http://127.0.0.1:${port}/`, { deadlineMs: Date.now() + 100 });
    while (closed.length === 0) await new Promise(setImmediate);
  });

  test('an answer that is too large is cut off; one that just fits is kept', async () => {
    const base = await crm((incoming, response) =>
      response.end('x'.repeat(incoming.url === '/big' ? 101 : 100)),
    );
    const options = { answerBytesMax: 100 };
    expect(await send(`${base}/big`, {}, options)).toEqual({
      kind: 'unknown',
      code: 'answer-too-large',
    });
    expect(await send(`${base}/fits`, {}, options)).toMatchObject({ kind: 'answer' });
  });

  test('an endless answer is cut off', async () => {
    const base = await crm((_incoming, response) => {
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(1_000), () => setImmediate(more));
      };
      more();
    });
    expect(await send(base, {}, { answerBytesMax: 10_000 })).toEqual({
      kind: 'unknown',
      code: 'answer-too-large',
    });
  });

  test('a kept-alive socket that the peer closes under the request stays unknown, and nothing is repeated', async () => {
    const connections: Socket[] = [];
    const { port, received } = await peer((socket) => {
      connections.push(socket);
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        socket.once('data', () => socket.resetAndDestroy());
      });
    });
    const http = client({ connectionsMax: 1 });
    const read = { method: 'GET', body: undefined } as const;
    expect(await http.send(request(`http://127.0.0.1:${port}/1`, read))).toMatchObject({
      kind: 'answer',
    });
    expect(await http.send(request(`http://127.0.0.1:${port}/2`, read))).toEqual({
      kind: 'unknown',
      code: 'connection-lost',
    });
    expect(connections).toHaveLength(1);
    expect(received.join('').match(/HTTP\/1.1/g)).toHaveLength(2);
  });
});

describe('targets', () => {
  const here = async (): Promise<{ port: number; hits: () => number }> => {
    let hits = 0;
    const base = await crm((_incoming, response) => {
      hits += 1;
      response.end();
    });
    return { port: Number(new URL(base).port), hits: () => hits };
  };
  const answering = (...answers: string[][]): { resolve: ResolveHost; asked: () => number } => {
    let asked = 0;
    const resolve: ResolveHost = () => {
      const answer = answers[Math.min(asked, answers.length - 1)] ?? [];
      asked += 1;
      return Promise.resolve(
        answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
    return { resolve, asked: () => asked };
  };

  test.each([
    ['a private address', ['10.1.2.3']],
    ['this host', ['127.0.0.1']],
    ['one public and one private address', ['93.184.216.34', '127.0.0.1']],
    ['an IPv6 address with this host inside', ['::ffff:127.0.0.1']],
    ['the metadata service', ['169.254.169.254']],
    ['something that is no address', ['localhost']],
  ])('a public name that leads to %s is refused', async (_what, answer) => {
    const { resolve } = answering(answer);
    const outcome = await send(
      'https://crm.example.com/',
      { allowPrivateAddress: false },
      { resolve },
    );
    expect(outcome).toEqual({ kind: 'unsent', code: 'private-address' });
  });

  test('the address that was checked is the one connected to, whatever the name says a moment later', async () => {
    const { port, hits } = await here();
    const { resolve, asked } = answering(['127.0.0.1'], ['127.0.0.9']);
    const url = `http://crm.example.com:${port}/`;
    expect(await send(url, {}, { resolve })).toMatchObject({ kind: 'answer' });
    expect(asked()).toBe(1);
    expect(hits()).toBe(1);
  });

  test('a refused name is not asked again in the hope of a better answer', async () => {
    const { port, hits } = await here();
    const { resolve, asked } = answering(['169.254.169.254'], ['127.0.0.1']);
    const url = `https://crm.example.com:${port}/`;
    const outcome = await send(url, { allowPrivateAddress: false }, { resolve });
    expect(outcome).toEqual({ kind: 'unsent', code: 'private-address' });
    expect(asked()).toBe(1);
    expect(hits()).toBe(0);
  });

  test('a socket opened with the permission does not serve a request without it', async () => {
    const { port } = await here();
    const { resolve } = answering(['127.0.0.1']);
    const http = client({ resolve });
    const url = `http://crm.example.com:${port}/`;
    expect(await http.send(request(url))).toMatchObject({ kind: 'answer' });
    const refused: HttpOutcome = await http.send(
      request(url.replace('http:', 'https:'), { allowPrivateAddress: false }),
    );
    expect(refused).toEqual({ kind: 'unsent', code: 'private-address' });
  });

  test('a refused URL is unsent with the reason', async () => {
    expect(await send('https://127.0.0.1/', { allowPrivateAddress: false })).toEqual({
      kind: 'unsent',
      code: 'private-address',
    });
  });
});
