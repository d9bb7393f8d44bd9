import type { MappingMessage, RegistryEntry } from '@counterpart/sync-model';
import type { SeenMessage, SeenOperation } from '../domain/evidence.js';
import type { JsonObject } from '../format/json.js';
import type { InfraName, InfraOrder, ServiceOrder } from '../format/steps.js';

/** Where everything of a running stack is, as the launcher wrote it. */
export interface StackEnv {
  readonly name: string;
  readonly kafkaBrokers: readonly string[];
  readonly schemaRegistryUrl: string;
  readonly redisUrl: string;
  readonly services: Readonly<Record<string, string>>;
  readonly secretsDir: string;
}

/** The topics of a stack: plans go in, public messages come out. */
export interface Bus {
  /** Resolves when the broker has the plan. */
  publishPlan(entry: RegistryEntry): Promise<void>;
  messagesOf(tenantId: string): readonly SeenMessage[];
  operationsOf(tenantId: string): readonly SeenOperation[];
  mappingsOf(tenantId: string): readonly MappingMessage[];
  position(): number;
  /**
   * Resolves to null when all that was in the topics at the call has been taken up by the services
   * and by this bus; else to who is behind and where, or why that could not be learnt.
   */
  fence(timeoutMs: number): Promise<string | null>;
  close(): Promise<void>;
}

/** Processes of the stack. Names as in the stack's `services`; each promise ends when it is done. */
export interface StackControl {
  service(order: ServiceOrder, name: string): Promise<void>;
  infra(order: InfraOrder, name: InfraName): Promise<void>;
  flushRedis(): Promise<void>;
  /** Brings back whatever was stopped, killed or paused and not brought back since. */
  heal(): Promise<void>;
}

/** Another integration than ours, which takes the app's changes straight to the CRM. */
export interface Integration {
  handle(change: JsonObject): Promise<void>;
}
export type IntegrationFactory = (portal: {
  readonly baseUrl: string;
  readonly accessToken: string;
}) => Integration;

/** What a run reports while it goes on. */
export type Say = (line: string) => void;
