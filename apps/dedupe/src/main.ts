import { wantedTopics } from '@counterpart/contracts';
import { KafkaBatchStrategy, topicFaults } from '@counterpart/platform-kafka';
import { runMain, StartFault, startService } from '@counterpart/platform-service';
import { startTelemetry } from '@counterpart/platform-telemetry';
import { readConfig } from './config.js';
import { flow } from './flow.js';
import { DedupeModule } from './dedupe.module.js';

runMain(flow.service, async () => {
  const config = readConfig(process.env);
  startTelemetry({ service: flow.service, otlpUrl: config.OTLP_URL });
  const faults = await topicFaults(
    { brokers: config.KAFKA_BROKERS, clientId: config.INSTANCE_ID },
    wantedTopics([...flow.consumes, ...flow.produces]),
  );
  if (faults.length > 0) throw new StartFault(faults.join('\n'));
  const strategy = new KafkaBatchStrategy({
    brokers: config.KAFKA_BROKERS,
    clientId: config.INSTANCE_ID,
    groupId: flow.group,
    onCrash: (error) => {
      throw error;
    },
  });
  return startService({
    service: flow.service,
    module: DedupeModule.with(config, strategy),
    host: config.HTTP_HOST,
    port: config.HTTP_PORT,
    strategy,
  });
});
