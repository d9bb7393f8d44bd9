import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { mustRun } from '../command.mjs';
import { MAVEN_DEPENDENCY_PLUGIN, cachedFolder, maven } from '../downloads.mjs';
import { answersHttp } from '../http-probe.mjs';
import { findJava } from '../java.mjs';
import { launch } from '../processes.mjs';
import { until } from '../until.mjs';

/** 3.x needs Java 21; the container image in docker-compose.yml has the same version. */
const VERSION = '2.6.13.Final';

/** Apicurio as a Confluent-compatible schema registry, its ids kept in an H2 file beside Kafka's data. */
export const registry = {
  name: 'registry',
  ports: ['registry'],
  stopSignal: 'SIGTERM',
  async install() {
    await findJava();
    await cachedFolder('apicurio', VERSION, fetchRegistry);
  },
  async launch({ paths, ports }) {
    const java = await findJava();
    const program = await cachedFolder('apicurio', VERSION, fetchRegistry);
    const data = join(paths.data, 'registry');
    await mkdir(data, { recursive: true });
    launch(paths, 'registry', {
      args: [
        java,
        ...JVM_FLAGS,
        '-jar',
        join(program, `apicurio-registry-app-${VERSION}-runner.jar`),
      ],
      cwd: program,
      env: {
        PATH: process.env.PATH,
        QUARKUS_HTTP_HOST: '127.0.0.1',
        QUARKUS_HTTP_PORT: String(ports.registry),
        REGISTRY_DATASOURCE_URL: `jdbc:h2:file:${join(data, 'registry')}`,
      },
    });
  },
  async ready({ ports, giveUp }) {
    const subjects = `http://127.0.0.1:${ports.registry}/apis/ccompat/v7/subjects`;
    await until('the schema registry', () => answersHttp(subjects), { timeoutMs: 120_000, giveUp });
  },
};

const JVM_FLAGS = ['-Xms64m', '-Xmx384m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

async function fetchRegistry(folder) {
  const artifact = `io.apicurio:apicurio-registry-app:${VERSION}:tar.gz:all`;
  const copy = [`${MAVEN_DEPENDENCY_PLUGIN}:copy`, `-Dartifact=${artifact}`];
  await maven(`The schema registry ${VERSION}`, folder, [...copy, `-DoutputDirectory=${folder}`]);
  for (const archive of (await readdir(folder)).filter((name) => name.endsWith('.tar.gz'))) {
    await mustRun(['tar', '-xzf', archive], { cwd: folder });
    await rm(join(folder, archive));
  }
}
