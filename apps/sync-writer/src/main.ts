import { runTopicService } from '@counterpart/platform-topic-service';
import { readConfig } from './config.js';
import { flow } from './flow.js';
import { SyncWriterModule } from './sync-writer.module.js';

runTopicService({ flow, readConfig, module: SyncWriterModule.with });
