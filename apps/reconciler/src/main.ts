import { wantedTopics } from '@counterpart/contracts';
import { KafkaBatchStrategy, topicFaults } from '@counterpart/platform-kafka';
import { requirePart, runMain, StartFault, startService } from '@counterpart/platform-service';
import { startTelemetry } from '@counterpart/platform-telemetry';
import { readConfig } from './config.js';
import { flow } from './flow.js';
import { ReconcilerModule } from './reconciler.module.js';

runMain(flow.service, async () => {
  const config = readConfig(process.env);
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
    service: flow.service,
    module: ReconcilerModule.with(config, strategy, telemetry),
    host: config.HTTP_HOST,
    port: config.HTTP_PORT,
    strategy,
  });
});
