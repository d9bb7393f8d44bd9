import { mkdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun, which } from '../command.mjs';
import { cachedFolder } from '../downloads.mjs';
import { answersHttp } from '../http-probe.mjs';
import { requireGo } from '../needs.mjs';
import { launch } from '../processes.mjs';
import { cacheRoot } from '../stack-paths.mjs';
import { until } from '../until.mjs';

const VERSION = '1.76.0';
const PACKAGE = 'github.com/jaegertracing/jaeger/cmd/jaeger';

/**
 * Jaeger on demand: traces in memory, OTLP over HTTP, and its JSON API (`/api/traces?service=…`). The
 * module from which it is built carries no web pages; the container image does.
 */
export const jaeger = {
  name: 'jaeger',
  ports: ['jaegerUi', 'jaegerOtlp'],
  // It keeps nothing, and an orderly stop takes it ten seconds.
  stopSignal: 'SIGKILL',
  async install({ say }) {
    if (existsSync(join(cacheRoot(), 'jaeger', VERSION))) return;
    requireGo(which('go'));
    await cachedFolder('jaeger', VERSION, (folder) => build(folder, say));
  },
  async launch({ paths, ports }) {
    const folder = join(paths.data, 'jaeger');
    await mkdir(folder, { recursive: true });
    const config = join(folder, 'config.yaml');
    await writeFile(config, jaegerConfig(ports));
    launch(paths, 'jaeger', {
      args: [join(cacheRoot(), 'jaeger', VERSION, 'jaeger'), '--config', config],
      env: { PATH: process.env.PATH },
      cwd: folder,
    });
  },
  async ready({ ports, giveUp }) {
    const services = `http://127.0.0.1:${ports.jaegerUi}/api/services`;
    await until('Jaeger', () => answersHttp(services), { timeoutMs: 30_000, giveUp });
  },
};

/** The all-in-one set-up with only the two addresses we use, so that stacks do not collide on the others. */
export function jaegerConfig(ports) {
  return `service:
  extensions: [jaeger_storage, jaeger_query]
  pipelines:
    traces: { receivers: [otlp], processors: [batch], exporters: [jaeger_storage_exporter] }
  telemetry: { metrics: { level: none }, logs: { level: warn } }
extensions:
  jaeger_query:
    storage: { traces: memory }
    http: { endpoint: '127.0.0.1:${ports.jaegerUi}' }
    grpc: { endpoint: '127.0.0.1:0' }
  jaeger_storage:
    backends: { memory: { memory: { max_traces: 100000 } } }
receivers:
  otlp: { protocols: { http: { endpoint: '127.0.0.1:${ports.jaegerOtlp}' } } }
processors: { batch: {} }
exporters:
  jaeger_storage_exporter: { trace_storage: memory }
`;
}

async function build(folder, say) {
  say('building Jaeger with Go, once per machine: about 6 minutes on two cores');
  const source = join(folder, 'source');
  await mkdir(source);
  const env = { ...process.env, GOFLAGS: '-buildvcs=false' };
  const startedAtMs = Date.now();
  const minutes = () => ((Date.now() - startedAtMs) / 60_000).toFixed(1);
  const reminder = setInterval(() => say(`still building Jaeger (${minutes()} min)`), 30_000);
  try {
    await mustRun(['go', 'mod', 'init', 'tools'], { cwd: source, env });
    await mustRun(['go', 'get', '-tool', `${PACKAGE}@v${VERSION}`], { cwd: source, env });
    const output = join(folder, 'jaeger');
    await mustRun(['go', 'build', '-ldflags', '-s -w', '-o', output, PACKAGE], {
      cwd: source,
      env,
    });
  } finally {
    clearInterval(reminder);
  }
  await rm(source, { recursive: true });
}
