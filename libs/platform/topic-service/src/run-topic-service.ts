import type { DynamicModule } from '@nestjs/common';
import { wantedTopics, type TopicName } from '@counterpart/contracts';
import { KafkaBatchStrategy, topicFaults } from '@counterpart/platform-kafka';
import {
  requirePart,
  runMain,
  StartFault,
  startService,
  type ServiceOptions,
} from '@counterpart/platform-service';
import { startTelemetry, type Telemetry } from '@counterpart/platform-telemetry';
import type { CommonConfig } from './common-parts.js';

/** What a service consumes, produces and owns, as data. */
export interface ServiceFlow {
  readonly service: string;
  readonly consumes: readonly TopicName[];
  readonly produces: readonly TopicName[];
  readonly group: string;
}

export interface TopicServiceOptions<Config extends CommonConfig> {
  readonly flow: ServiceFlow;
  /** Throws ConfigFault with every fault. */
  readonly readConfig: (env: NodeJS.ProcessEnv) => Config;
  readonly module: (
    config: Config,
    strategy: KafkaBatchStrategy,
    telemetry: Telemetry,
  ) => DynamicModule;
  readonly http?: (config: Config) => Pick<ServiceOptions, 'bodyLimit' | 'configure'>;
}

/**
 * The whole body of a service's `main.ts`: reads the settings, starts tracing, refuses to start on
 * topics that are missing or too small, then builds the module and consumes. A consumer that ended
 * for good ends the process, so that nothing looks alive that is not.
 */
export function runTopicService<Config extends CommonConfig>(
  options: TopicServiceOptions<Config>,
): void {
  const { flow } = options;
  runMain(flow.service, async () => {
    const config = options.readConfig(process.env);
    const telemetry = startTelemetry({
      service: flow.service,
      instanceId: config.INSTANCE_ID,
      otlpUrl: config.OTLP_URL,
    });
    const client = { brokers: config.KAFKA_BROKERS, clientId: config.INSTANCE_ID };
    const faults = await requirePart('Kafka (KAFKA_BROKERS)', () =>
      topicFaults(client, wantedTopics([...flow.consumes, ...flow.produces])),
    );
    if (faults.length > 0) throw new StartFault(faults.join('\n'));
    const strategy = new KafkaBatchStrategy({
      ...client,
      groupId: flow.group,
      onCrash: (error) => {
        throw error;
      },
    });
    return startService({
      ...options.http?.(config),
      service: flow.service,
      module: options.module(config, strategy, telemetry),
      host: config.HTTP_HOST,
      port: config.HTTP_PORT,
      strategy,
    });
  });
}
