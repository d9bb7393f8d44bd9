export { commonParts, parts, type CommonConfig, type CommonOptions } from './common-parts.js';
export {
  runTopicService,
  type ServiceFlow,
  type TopicServiceOptions,
} from './run-topic-service.js';
export { topicHealth } from './topic-health.js';
