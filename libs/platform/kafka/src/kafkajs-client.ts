import { Kafka, logLevel, type KafkaConfig } from 'kafkajs';
import { quietTimers } from './quiet-timers.js';

export interface ClientOptions {
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** For specs that cut connections on purpose. */
  readonly socketFactory?: KafkaConfig['socketFactory'];
}

quietTimers();

/**
 * A client of its own for each producer and each consumer: two consumers of one group built from
 * one client share one map of committed offsets.
 */
export const createClient = ({ brokers, clientId, socketFactory }: ClientOptions): Kafka =>
  new Kafka({
    brokers: [...brokers],
    clientId,
    logLevel: logLevel.NOTHING,
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    ...(socketFactory === undefined ? {} : { socketFactory }),
  });
