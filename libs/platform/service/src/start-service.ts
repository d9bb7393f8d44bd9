import 'reflect-metadata';
import type { DynamicModule, INestMicroservice, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { codeOf, exitCodes, StartFault } from './start-fault.js';

/** What a transport strategy must offer; Nest's CustomTransportStrategy satisfies it. */
type TransportStrategy = object;

export interface ServiceOptions {
  /** Shown in the ready line: `ingest`. */
  readonly service: string;
  readonly module: Type | DynamicModule;
  /** Default 127.0.0.1: listening for others is a decision, not an accident. */
  readonly host?: string;
  /** 0 asks for a free port. */
  readonly port: number;
  /** Keep `request.rawBody`, over which signatures are checked. */
  readonly rawBody?: boolean;
  /** Bytes of a request body; more is answered 413 without reading on. Default 1 MiB. */
  readonly bodyLimit?: number;
  /** Drives `@EventPattern` handlers, e.g. KafkaBatchStrategy. Started before HTTP listens. */
  readonly strategy?: TransportStrategy;
  /** Runs before anything starts, for filters and content parsers. */
  readonly configure?: (app: NestFastifyApplication) => void | Promise<void>;
}

export interface RunningService {
  /** `http://host:port`. */
  readonly url: string;
  readonly app: NestFastifyApplication;
  /** The graceful stop that a signal starts too. */
  close(): Promise<void>;
}

const BODY_LIMIT_BYTES = 1024 * 1024;
/** A client that sends its headers or body drop by drop holds a connection no longer than this. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** Node looks for connections past those times only every half minute unless told otherwise. */
const TIMEOUT_CHECK_MS = 1_000;
const KEEP_ALIVE_TIMEOUT_MS = 5_000;
const CONNECTIONS_MAX = 2_000;

/**
 * Builds the app (with `/health/live`, `/health/ready` and `/metrics`), starts the strategy, then
 * listens and prints `ready <service> <url>`. SIGTERM and SIGINT stop it gracefully. Throws a
 * StartFault when the port is taken; whatever a provider throws passes through.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const app = await NestFactory.create<NestFastifyApplication>(
    rootModule(options),
    adapter(options),
    {
      rawBody: options.rawBody ?? false,
      logger: false,
      abortOnError: false,
    },
  );
  try {
    limitConnections(app);
    await options.configure?.(app);
    app.enableShutdownHooks(['SIGTERM', 'SIGINT']);
    if (options.strategy) connect(app, options.strategy);
    await app.startAllMicroservices();
    const url = await listen(app, options);
    console.log(`ready ${options.service} ${url}`);
    return { url, app, close: () => app.close() };
  } catch (error) {
    await app.close().catch(() => undefined);
    throw error;
  }
}

const rootModule = (options: ServiceOptions): DynamicModule => ({
  module: PlatformModule,
  imports: [options.module],
  controllers: [HealthController, MetricsController],
});

/** The root around the app's own module. */
class PlatformModule {}

const adapter = (options: ServiceOptions): FastifyAdapter =>
  new FastifyAdapter({
    bodyLimit: options.bodyLimit ?? BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // A forwarded header is only as honest as who sent it; nothing here may depend on one.
    trustProxy: false,
  });

function limitConnections(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.server.headersTimeout = HEADERS_TIMEOUT_MS;
  fastify.server.maxConnections = CONNECTIONS_MAX;
  let stopping = false;
  fastify.addHook('preClose', (done) => {
    stopping = true;
    done();
  });
  // A connection kept alive after its last answer would hold up the stop until it times out.
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping) void reply.header('connection', 'close');
    done();
  });
}

function connect(app: NestFastifyApplication, strategy: TransportStrategy): INestMicroservice {
  return app.connectMicroservice({ strategy }, { inheritAppConfig: true });
}

async function listen(app: NestFastifyApplication, options: ServiceOptions): Promise<string> {
  const host = options.host ?? '127.0.0.1';
  try {
    await app.listen(options.port, host);
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    throw new StartFault(
      `port ${options.port} on ${host} is taken: stop the other process or set HTTP_PORT`,
      exitCodes.unavailable,
      { cause: error },
    );
  }
  return (await app.getUrl()).replace(/\/$/, '');
}
