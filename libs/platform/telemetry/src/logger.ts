import { trace } from '@opentelemetry/api';
import type { DestinationStream } from 'pino';
import { pino, stdTimeFunctions } from 'pino';
import type { LogFields } from './log-fields.js';
import { keepLogFields } from './log-fields.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** One JSON line per call: fields first, then one plain sentence without values in it. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export interface LoggerOptions {
  readonly level?: LogLevel | undefined;
  readonly instanceId?: string | undefined;
  /** Standard output unless told. */
  readonly destination?: DestinationStream | undefined;
}

function traceFields(): Record<string, string> {
  const context = trace.getActiveSpan()?.spanContext();
  return context === undefined ? {} : { traceId: context.traceId, spanId: context.spanId };
}

/**
 * A logger for one service. Every line has `level`, `time`, `service`, and inside a span its ids.
 * Fields that are not on the list in `log-fields.ts` are dropped, never written.
 */
export function createLogger(service: string, options: LoggerOptions = {}): Logger {
  const settings = {
    level: options.level ?? 'info',
    base: {
      service,
      ...(options.instanceId === undefined ? {} : { instanceId: options.instanceId }),
    },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: traceFields,
  };
  const base =
    options.destination === undefined ? pino(settings) : pino(settings, options.destination);
  return {
    debug: (fields, message) => base.debug(keepLogFields(fields), message),
    info: (fields, message) => base.info(keepLogFields(fields), message),
    warn: (fields, message) => base.warn(keepLogFields(fields), message),
    error: (fields, message) => base.error(keepLogFields(fields), message),
  };
}

/** A logger that writes nothing, for tests and for code that runs without a service. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
