import { z } from 'zod';
import { secret } from './secret.js';

/**
 * Building blocks for the settings of a service. Each reads the text of one environment variable;
 * a service lists those it needs in its own schema and adds defaults where it has a reason.
 */
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be a http:// or https:// address' });

export const settings = {
  /** `host:port,host:port` → list. */
  brokers: () =>
    z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .refine(
        (list) => list.every((part) => /^[^\s:/]+:\d{1,5}$|^\[[0-9a-f:]+\]:\d{1,5}$/i.test(part)),
        {
          error: 'must be host:port, separated by commas',
        },
      ),
  /** An http(s) address, without a trailing slash. */
  httpUrl: () => httpUrl.transform((text) => text.replace(/\/+$/, '')),
  /** `postgres://…`; wrapped, because it holds a password. */
  postgresUrl: () =>
    z
      .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' })
      .transform((text) => secret(text)),
  /** `redis://…` or `rediss://…`; wrapped, because it may hold a password. */
  redisUrl: () =>
    z
      .url({ protocol: /^rediss?$/, error: 'must be a redis:// address' })
      .transform((text) => secret(text)),
  /** 0 asks the system for a free port. */
  port: () => wholeNumber(0, 65_535),
  wholeNumber,
  /** A span in ms. */
  durationMs: (min: number, max: number) => wholeNumber(min, max),
  flag: () =>
    z
      .enum(['true', 'false'], { error: 'must be true or false' })
      .transform((text) => text === 'true'),
  text: () => z.string(),
  oneOf: <const Values extends readonly [string, ...string[]]>(values: Values) =>
    z.enum(values, { error: `must be one of ${values.join(', ')}` }),
};

function wholeNumber(min: number, max: number) {
  return z
    .string()
    .refine((text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);
}

/**
 * What every service is started with. Extend it: `z.object({ ...serviceSettings, … })`.
 * `SECRETS_DIR` is where `file:` references of sync plans are looked up.
 */
export const serviceSettings = {
  KAFKA_BROKERS: settings.brokers(),
  SCHEMA_REGISTRY_URL: settings.httpUrl(),
  DATABASE_URL: settings.postgresUrl(),
  HTTP_HOST: settings.text().default('127.0.0.1'),
  HTTP_PORT: settings.port(),
  INSTANCE_ID: settings.text(),
  SECRETS_DIR: settings.text(),
  OTLP_URL: settings.httpUrl().optional(),
  LOG_LEVEL: settings.oneOf(['debug', 'info', 'warn', 'error']).default('info'),
  /** Lets a plan set allowPrivateAddress. For development only. */
  ALLOW_PRIVATE_ADDRESSES: settings.flag().default(false),
};
