import { Controller, Get, Module, Post, Req, type RawBodyRequest } from '@nestjs/common';
import { connect } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { HEALTH_CHECKS, type HealthCheck } from './health.controller.js';
import { runMain } from './run-main.js';
import { closing, stopTaking } from './shutdown-hooks.js';
import { explainStart, requirePart, StartFault } from './start-fault.js';
import { startService, type RunningService } from './start-service.js';

const order: string[] = [];
let databaseFault: string | null = null;
const STORE = Symbol('store');
let arrived: () => void;
let release: () => void;
let released: Promise<void>;

@Controller('echo')
class EchoController {
  @Post()
  echo(@Req() request: RawBodyRequest<FastifyRequest>): { raw: string } {
    return { raw: request.rawBody?.toString('base64') ?? '' };
  }
  @Get('slow')
  async slow(): Promise<{ done: boolean }> {
    arrived();
    await released;
    order.push('slow request answered');
    return { done: true };
  }
}

const checks: readonly HealthCheck[] = [
  { name: 'database', check: () => databaseFault },
  { name: 'clock', check: () => Promise.resolve(null) },
];

@Module({
  controllers: [EchoController],
  providers: [
    { provide: STORE, useValue: 'store' },
    { provide: HEALTH_CHECKS, useValue: checks },
    stopTaking([STORE], (store: string) => {
      order.push(`stop taking ${store}`);
      release();
    }),
    closing([STORE], (store: string) => void order.push(`close ${store}`)),
  ],
})
class TestModule {}

let running: RunningService;
const lines: string[] = [];
beforeEach(async () => {
  databaseFault = null;
  order.length = 0;
  released = new Promise((resolve) => {
    release = resolve;
  });
  lines.length = 0;
  jest.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  running = await startService({
    service: 'test',
    module: TestModule,
    port: 0,
    rawBody: true,
    bodyLimit: 100,
  });
});
afterEach(() => running.close());

test('it says when and where it is ready', () => {
  expect(lines).toEqual([`ready test ${running.url}`]);
  expect(running.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('readiness names what is wrong, liveness does not care', async () => {
  expect(await (await fetch(`${running.url}/health/ready`)).json()).toEqual({
    status: 'ok',
    faults: {},
  });
  databaseFault = 'postgres-down';
  const ready = await fetch(`${running.url}/health/ready`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({
    status: 'unavailable',
    faults: { database: 'postgres-down' },
  });
  expect((await fetch(`${running.url}/health/live`)).status).toBe(200);
});

test('metrics are served as text', async () => {
  const answer = await fetch(`${running.url}/metrics`);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  expect(await answer.text()).toContain('process_cpu_seconds_total');
});

test('the raw body is kept byte by byte and a larger one is refused', async () => {
  const send = (body: string): Promise<Response> =>
    fetch(`${running.url}/echo`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
  const body = '{"a" :  1.0}';
  expect(await (await send(body)).json()).toEqual({ raw: Buffer.from(body).toString('base64') });
  expect((await send(`"${'x'.repeat(98)}"`)).status).toBe(201);
  expect((await send(`"${'x'.repeat(99)}"`)).status).toBe(413);
});

test('stopping lets a request finish and closes the parts last', async () => {
  const inHand = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const answer = fetch(`${running.url}/echo/slow`);
  await inHand;
  await running.close();
  expect(await (await answer).json()).toEqual({ done: true });
  expect(order).toEqual(['stop taking store', 'slow request answered', 'close store']);
});

test.each([
  ['its headers', 'POST /echo HTTP/1.1\r\nhost: x\r\nx-slow: '],
  [
    'its body',
    'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n1',
  ],
])('who never ends %s does not keep the connection', async (_what, beginning) => {
  const server = running.app.getHttpAdapter().getInstance().server;
  expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 30_000]);
  server.headersTimeout = 200;
  server.requestTimeout = 200;
  const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  let answer = '';
  socket.on('data', (bytes) => (answer += bytes.toString()));
  socket.write(beginning);
  await new Promise((resolve) => socket.on('close', resolve));
  expect(answer).toMatch(/^HTTP\/1.1 408/);
});

test('a taken port is one sentence', async () => {
  const port = Number(new URL(running.url).port);
  const start = startService({ service: 'second', module: TestModule, port });
  await expect(start).rejects.toThrow(
    `port ${port} on 127.0.0.1 is taken: stop the other process or set HTTP_PORT`,
  );
});

test('a part that is not usable is named, with its code', async () => {
  const refused = (): Promise<void> =>
    Promise.reject(Object.assign(new Error('no answer'), { code: 'ECONNREFUSED' }));
  const fault = await requirePart('PostgreSQL (DATABASE_URL)', refused).catch((e: unknown) => e);
  expect(explainStart(fault)).toEqual({
    text: 'PostgreSQL (DATABASE_URL) is not usable: no answer (ECONNREFUSED)',
    code: 69,
  });
});

test('faults that name their reason are explained without a stack', () => {
  expect(explainStart(new StartFault('topic x is missing'))).toEqual({
    text: 'topic x is missing',
    code: 69,
  });
  const settings = Object.assign(new Error('wrong settings'), { name: 'ConfigFault' });
  expect(explainStart(settings)).toEqual({ text: 'wrong settings', code: 78 });
});

test('a bug keeps its stack', () => {
  expect(explainStart(new TypeError('x is not a function'))).toMatchObject({
    text: expect.stringContaining('start-service.spec'),
    code: 70,
  });
});

test('a process that cannot start ends with the sentence and the code', async () => {
  const said: unknown[] = [];
  const exit = jest.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  const write = jest.spyOn(process.stderr, 'write').mockImplementation(((
    text: string,
    done: () => void,
  ) => {
    said.push(text);
    done();
  }) as never);
  runMain('ingest', () => Promise.reject(new StartFault('topic x is missing')));
  await new Promise(setImmediate);
  write.mockRestore();
  expect(said).toEqual(['ingest: cannot start: topic x is missing\n']);
  expect(exit).toHaveBeenCalledWith(69);
  exit.mockRestore();
});
