import { runTopicService } from '@counterpart/platform-topic-service';
import { takeRawBodies } from './adapters/inbound/raw-body.js';
import { readConfig } from './config.js';
import { flow } from './flow.js';
import { IngestModule } from './ingest.module.js';

runTopicService({
  flow,
  readConfig,
  module: IngestModule.with,
  http: (config) => ({ bodyLimit: config.BODY_BYTES_MAX, configure: takeRawBodies }),
});
