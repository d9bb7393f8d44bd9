import { capture, mustRun, which } from './command.mjs';
import { requirePortsFree } from './port-owner.mjs';
import { partNamed } from './parts/all.mjs';

/** Infrastructure as containers of docker-compose.yml, one compose project per stack. */
export const composeEngine = {
  kind: 'compose',

  /** Which of the named parts have a running container. */
  async partsUp(context, names) {
    const output = await compose(context, ['ps', '--services', '--status', 'running']);
    const running = new Set(output.split('\n').map((line) => line.trim()));
    return Object.fromEntries(names.map((name) => [name, running.has(name)]));
  },

  /** Starts the containers, waits for their health checks, then for Kafka's first message. */
  async start(context, names) {
    const portNames = names.flatMap((name) => partNamed(name).ports);
    const published = portNames.filter((name) => name !== 'kafkaController');
    await requirePortsFree(
      Object.fromEntries(published.map((name) => [name, context.ports[name]])),
    );
    context.say('docker compose up');
    await compose(context, ['up', '--detach', '--wait', ...names]);
    await this.ready(context, names);
  },

  /** Resolves when the parts answer this machine. */
  async ready(context, names) {
    await Promise.all(
      names.map((name) => partNamed(name).ready({ ...context, giveUp: async () => {} })),
    );
  },

  /** Stops the containers and keeps their volumes; true when any ran. */
  async stop(context, names) {
    const isUp = await this.partsUp(context, names);
    await compose(context, ['stop', ...names]);
    return Object.values(isUp).some(Boolean);
  },

  /** Removes the stack's containers and volumes. */
  async deleteData(context) {
    await compose(context, ['down', '--volumes']);
  },

  /** Stops or starts one part while the rest goes on. */
  async control(context, action, name) {
    await compose(context, [action, name]);
    if (action !== 'stop') await this.ready(context, [name]);
  },
};

/** Whether a docker engine answers and has the compose plugin. */
export async function hasDockerCompose() {
  if (!which('docker')) return false;
  const options = { timeout: 10_000 };
  const [engine, plugin] = await Promise.all([
    capture(['docker', 'info', '--format', '{{.ServerVersion}}'], options),
    capture(['docker', 'compose', 'version'], options),
  ]);
  return engine.code === 0 && engine.stdout.trim() !== '' && plugin.code === 0;
}

function compose({ paths, ports }, args) {
  const project = ['docker', 'compose', '--project-name', `counterpart-${paths.name}`];
  const env = { ...process.env, ...composePorts(ports) };
  return mustRun([...project, ...args], { cwd: paths.root, env });
}

/** The variables by which docker-compose.yml takes its ports. */
export function composePorts(ports) {
  return {
    POSTGRES_PORT: String(ports.postgres),
    REDIS_PORT: String(ports.redis),
    KAFKA_PORT: String(ports.kafka),
    REGISTRY_PORT: String(ports.registry),
    JAEGER_UI_PORT: String(ports.jaegerUi),
    JAEGER_OTLP_PORT: String(ports.jaegerOtlp),
  };
}
