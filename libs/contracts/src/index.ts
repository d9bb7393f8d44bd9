export type { Audience, KeyKind, TopicName, TopicSpec, TopicValue, TopicValues } from './topics.js';
export {
  allTopicNames,
  isTopicName,
  messageBytesMax,
  subjectOf,
  topicNames,
  topics,
} from './topics.js';
export type { Codec, DecodeCode, DecodeResult } from './codec.js';
export { ContractFault, createCodec, createCodecWith } from './codec.js';
export type { RegistryClient } from './registry-client.js';
export { RegistryError, createRegistryClient } from './registry-client.js';
export type { ProvisionTarget } from './provision.js';
export { provision, wantedTopics } from './provision.js';
export {
  IncompatibleSchemaError,
  compatibilityLevel,
  registerSchemas,
} from './register-schemas.js';
export type { AvroSchema } from './schema-files.js';
export { schemaOf } from './schema-files.js';
