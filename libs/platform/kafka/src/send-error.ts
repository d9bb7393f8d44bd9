import { KafkaSendError, type KafkaSendCode } from './stream-producer.js';

type Kind = readonly [code: KafkaSendCode, retriable: boolean];

/** By the name the broker gives an error. */
const byType: Readonly<Record<string, Kind>> = {
  UNKNOWN_TOPIC_OR_PARTITION: ['unknown-topic', true],
  INVALID_TOPIC_EXCEPTION: ['refused', false],
  MESSAGE_TOO_LARGE: ['message-too-large', false],
  RECORD_LIST_TOO_LARGE: ['message-too-large', false],
  CORRUPT_MESSAGE: ['refused', false],
  UNSUPPORTED_FOR_MESSAGE_FORMAT: ['refused', false],
  TOPIC_AUTHORIZATION_FAILED: ['refused', false],
  CLUSTER_AUTHORIZATION_FAILED: ['refused', false],
  REQUEST_TIMED_OUT: ['timed-out', true],
};

/** By the class of kafkajs, where no broker answered. */
const byName: Readonly<Record<string, Kind>> = {
  KafkaJSRequestTimeoutError: ['timed-out', true],
  KafkaJSConnectionError: ['broker-unreachable', true],
  KafkaJSConnectionClosedError: ['broker-unreachable', true],
  KafkaJSBrokerNotFound: ['broker-unreachable', true],
  KafkaJSNoBrokerAvailableError: ['broker-unreachable', true],
  KafkaJSMetadataNotLoaded: ['unknown-topic', true],
  KafkaJSTopicMetadataNotLoaded: ['unknown-topic', true],
};

const whatItMeans: Readonly<Record<KafkaSendCode, string>> = {
  'broker-unreachable': 'no Kafka broker could be reached',
  'timed-out': 'Kafka did not acknowledge in time; the messages may or may not be stored',
  'not-stored': 'Kafka did not store the messages',
  'message-too-large': 'a message is larger than its topic takes',
  'unknown-topic': 'the topic does not exist',
  refused: 'Kafka refuses the messages',
  closed: 'the producer is closed',
};

/** kafkajs wraps the first error in "number of retries exceeded"; the innermost one tells most. */
function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}

function kindOf(error: Error): Kind {
  const type: unknown = 'type' in error ? error.type : undefined;
  const known = typeof type === 'string' ? byType[type] : undefined;
  return known ?? byName[error.name] ?? ['not-stored', true];
}

export const sendError = (code: KafkaSendCode, retriable: boolean): KafkaSendError =>
  new KafkaSendError(code, retriable, whatItMeans[code]);

/** Whatever a send threw, as our error. */
export function toSendError(cause: unknown): KafkaSendError {
  if (cause instanceof KafkaSendError) return cause;
  const error = innermost(cause instanceof Error ? cause : new Error(String(cause)));
  const [code, retriable] = kindOf(error);
  return new KafkaSendError(code, retriable, whatItMeans[code], cause);
}
