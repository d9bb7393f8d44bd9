import { runTopicService } from '@counterpart/platform-topic-service';
import { readConfig } from './config.js';
import { flow } from './flow.js';
import { ReconcilerModule } from './reconciler.module.js';

runTopicService({ flow, readConfig, module: ReconcilerModule.with });
