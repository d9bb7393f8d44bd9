export { createCodec, type Codec, type DecodeCode, type DecodeResult } from './codec.js';
export { registerSchemas } from './register-schemas.js';
export { RegistryError } from './registry-client.js';
export {
  allTopicNames,
  isTopicName,
  messageBytesMax,
  subjectOf,
  topicNames,
  topics,
  type Audience,
  type KeyKind,
  type TopicName,
  type TopicSpec,
  type TopicValue,
  type TopicValues,
} from './topics.js';
export { schemaOf } from './schema-files.js';
export { provision, wantedTopics, type ProvisionTarget } from './provision.js';
