import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mustRun } from '../command.mjs';
import { MAVEN_DEPENDENCY_PLUGIN, cachedFolder, maven } from '../downloads.mjs';
import { findJava } from '../java.mjs';
import { launch } from '../processes.mjs';
import { warmUp } from './kafka-warm-up.mjs';

const VERSION = '4.3.1';
const LOG4J_VERSION = '2.25.4';

/** Kafka as one KRaft node, broker and controller in one Java process. */
export const kafka = {
  name: 'kafka',
  ports: ['kafka', 'kafkaController'],
  stopSignal: 'SIGTERM',
  async install() {
    await findJava();
    await cachedFolder('kafka', VERSION, fetchJars);
  },
  async launch({ paths, ports }) {
    const java = await findJava();
    const classPath = join(await cachedFolder('kafka', VERSION, fetchJars), '*');
    const folder = join(paths.data, 'kafka');
    const properties = join(folder, 'server.properties');
    await mkdir(folder, { recursive: true });
    await writeFile(properties, serverProperties(ports, join(folder, 'log')));
    if (!existsSync(join(folder, 'log', 'meta.properties'))) {
      const format = ['format', '--standalone', '-t', clusterId(), '-c', properties];
      await mustRun([java, ...JVM_FLAGS, '-cp', classPath, 'kafka.tools.StorageTool', ...format]);
    }
    launch(paths, 'kafka', {
      args: [java, ...JVM_FLAGS, '-cp', classPath, 'kafka.Kafka', properties],
      env: { PATH: process.env.PATH },
      cwd: folder,
    });
  },
  ready({ ports, giveUp }) {
    return warmUp(ports.kafka, { timeoutMs: 90_000, giveUp });
  },
};

const JVM_FLAGS = ['-Xms256m', '-Xmx512m', '-XX:+UseSerialGC', '-Dlog4j2.level=WARN'];

/** A cluster id of Kafka's form (22 characters of URL-safe base 64) that no option parser mistakes for a flag. */
function clusterId() {
  return `C${randomBytes(16).toString('base64url').slice(1)}`;
}

/** Text of server.properties for one node. Replication is 1 everywhere, since there is one broker. */
export function serverProperties(ports, logFolder) {
  return `${[
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.bootstrap.servers=127.0.0.1:${ports.kafkaController}`,
    `listeners=PLAINTEXT://127.0.0.1:${ports.kafka},CONTROLLER://127.0.0.1:${ports.kafkaController}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${ports.kafka}`,
    'controller.listener.names=CONTROLLER',
    'inter.broker.listener.name=PLAINTEXT',
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    `log.dirs=${logFolder}`,
    // A misspelt topic must fail, not come to be.
    'auto.create.topics.enable=false',
    'offsets.topic.replication.factor=1',
    'offsets.topic.num.partitions=4',
    'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1',
    'transaction.state.log.num.partitions=4',
    'share.coordinator.state.topic.replication.factor=1',
    'share.coordinator.state.topic.min.isr=1',
    'group.initial.rebalance.delay.ms=0',
    // The default of 128 MB is a quarter of this heap.
    'log.cleaner.dedupe.buffer.size=16777216',
  ].join('\n')}\n`;
}

async function fetchJars(folder) {
  await writeFile(join(folder, 'pom.xml'), POM);
  const copy = [`${MAVEN_DEPENDENCY_PLUGIN}:copy-dependencies`, '-DincludeScope=runtime'];
  await maven(`Kafka ${VERSION}`, folder, [...copy, `-DoutputDirectory=${folder}`]);
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>counterpart</groupId>
  <artifactId>kafka-jars</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${VERSION}</version></dependency>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-tools</artifactId><version>${VERSION}</version></dependency>
    <dependency><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-slf4j-impl</artifactId><version>${LOG4J_VERSION}</version></dependency>
  </dependencies>
</project>
`;
