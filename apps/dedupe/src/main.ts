import { runTopicService } from '@counterpart/platform-topic-service';
import { readConfig } from './config.js';
import { DedupeModule } from './dedupe.module.js';
import { flow } from './flow.js';

runTopicService({ flow, readConfig, module: DedupeModule.with });
