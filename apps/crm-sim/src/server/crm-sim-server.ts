import { createServer, type Server } from 'node:http';
import { serveControl } from '../control/control-endpoint.js';
import { systemClock, type SimClock } from '../portals/clock.js';
import { PortalRegistry } from '../portals/portal-registry.js';
import { serveCrm } from './crm-endpoint.js';
import { httpWire } from './wire.js';

export interface CrmSimOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly clock?: SimClock;
}

export interface RunningCrmSim {
  /** `http://127.0.0.1:27010`, without a path. */
  readonly url: string;
  readonly portals: PortalRegistry;
  close(): Promise<void>;
}

/** Longer than any client keeps an idle connection: the simulator resets only when told to. */
const IDLE_MS = 120_000;

/** Starts the simulator. Rejects when the port is taken. */
export async function startCrmSim(options: CrmSimOptions): Promise<RunningCrmSim> {
  const portals = new PortalRegistry(options.clock ?? systemClock);
  const server = createServer((request, response) => {
    const wire = httpWire(request, response);
    const url = urlOf(request.url);
    if (!url) return wire.send({ status: 400, body: { status: 'error', message: 'Bad request' } });
    if (url.pathname.startsWith('/health/'))
      return wire.send({ status: 200, body: { status: 'ok' } });
    const serve = url.pathname.startsWith('/_sim') ? serveControl : serveCrm;
    serve(portals, request, url, wire).catch((error: unknown) => {
      // A client that left while sending is no fault of ours; anything else is, and must be seen.
      if (!request.destroyed)
        process.stderr.write(`crm-sim: ${String(error instanceof Error ? error.stack : error)}\n`);
      wire.send({ status: 500, body: { error: { code: 'internal', message: String(error) } } });
    });
  });
  server.keepAliveTimeout = IDLE_MS;
  server.headersTimeout = IDLE_MS + 1_000;
  server.requestTimeout = 0;
  const port = await listen(server, options);
  return { url: `http://${options.host}:${port}`, portals, close: () => close(server, portals) };
}

function urlOf(path: string | undefined): URL | null {
  try {
    return new URL(`http://crm-sim.invalid${path ?? '/'}`);
  } catch {
    return null;
  }
}

function listen(server: Server, { host, port }: CrmSimOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function close(server: Server, portals: PortalRegistry): Promise<void> {
  portals.close();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
