export type { InboundMessage, OutboundMessage } from './messages.js';
export {
  KafkaStartError,
  type BatchHandler,
  type ConsumerStatus,
  type StreamConsumer,
} from './stream-consumer.js';
export { KafkaSendError, type KafkaSendCode, type StreamProducer } from './stream-producer.js';
export { createProducer, type ProducerOptions } from './kafkajs-producer.js';
export { createConsumer, type ConsumerOptions } from './kafkajs-consumer.js';
export { createMissingTopics, topicFaults, type WantedTopic } from './topics-admin.js';
export { KafkaBatchStrategy, type BatchStrategyOptions } from './batch-strategy.js';
export { KeepErrors, TopicBatch } from './keep-errors.filter.js';
export { requireSupportedBroker } from './broker-versions.js';
export type { ClientOptions } from './kafkajs-client.js';
export { watchGroups, type GroupProgress, type ReadingGroup } from './group-progress.js';
