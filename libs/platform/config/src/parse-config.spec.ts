import { inspect } from 'node:util';
import { z } from 'zod';
import { ConfigFault, parseConfig } from './parse-config.js';
import { serviceSettings, settings } from './settings.js';

const good = {
  KAFKA_BROKERS: '127.0.0.1:29092, [::1]:29093',
  SCHEMA_REGISTRY_URL: 'http://127.0.0.1:28081/apis/ccompat/v7/',
  DATABASE_URL: 'postgres://dedupe:hunter2@127.0.0.1:25432/counterpart',
  HTTP_PORT: '27002',
  INSTANCE_ID: 'dedupe-1',
  SECRETS_DIR: '/run/secrets',
  PATH: '/usr/bin',
};
const schema = z.object(serviceSettings);

function faultsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    parseConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigFault) return error.faults;
    throw error;
  }
  return [];
}

test('settings are parsed, defaulted and frozen', () => {
  const config = parseConfig(schema, good);
  expect(config.KAFKA_BROKERS).toEqual(['127.0.0.1:29092', '[::1]:29093']);
  expect(config.SCHEMA_REGISTRY_URL).toBe('http://127.0.0.1:28081/apis/ccompat/v7');
  expect(config.HTTP_PORT).toBe(27002);
  expect(config.HTTP_HOST).toBe('127.0.0.1');
  expect(config.OTLP_URL).toBeUndefined();
  expect(config.ALLOW_PRIVATE_ADDRESSES).toBe(false);
  expect(Object.isFrozen(config)).toBe(true);
});

test('a secret is revealed only when asked for', () => {
  const config = parseConfig(schema, good);
  expect(`${config.DATABASE_URL} ${JSON.stringify(config)} ${inspect(config)}`).not.toContain(
    'hunter2',
  );
  expect(config.DATABASE_URL.reveal()).toContain('hunter2');
});

test('all faults are named at once and no value is repeated', () => {
  const faults = faultsOf({
    ...good,
    KAFKA_BROKERS: 'nowhere',
    HTTP_PORT: '99999',
    DATABASE_URL: 'mysql://user:hunter2@host/x',
    INSTANCE_ID: '',
    LOG_LEVEL: 'loud',
  });
  expect(faults).toEqual([
    'KAFKA_BROKERS: must be host:port, separated by commas',
    'DATABASE_URL: must be a postgres:// address',
    'HTTP_PORT: must be a whole number from 0 to 65535',
    'INSTANCE_ID: is not set',
    'LOG_LEVEL: must be one of debug, info, warn, error',
  ]);
});

test.each([
  ['KAFKA_BROKER', 'KAFKA_BROKERS'],
  ['KAFKA_BROKKERS', 'KAFKA_BROKERS'],
  ['KAFKA_BROKARS', 'KAFKA_BROKERS'],
  ['kafka_brokers', 'KAFKA_BROKERS'],
])('%s is reported as a misspelling of %s', (wrong, meant) => {
  const { KAFKA_BROKERS, ...rest } = good;
  expect(faultsOf({ ...rest, [wrong]: KAFKA_BROKERS })).toContain(
    `${wrong} is no setting; did you mean ${meant}?`,
  );
});

test('a misspelled optional setting is a fault too, foreign variables are not', () => {
  expect(faultsOf({ ...good, OTLP_URI: 'http://x', HOME: '/root' })).toEqual([
    'OTLP_URI is no setting; did you mean OTLP_URL?',
  ]);
  expect(faultsOf({ ...good, HTTP_HOST: '::1', HTTP_HOSTS: 'x' })).toEqual([]);
});

test.each(['12.5', '-1', 'x', ' 5', '1e3', '11'])('%j is no whole number from 1 to 10', (text) => {
  const bounded = z.object({ SIZE: settings.wholeNumber(1, 10) });
  expect(() => parseConfig(bounded, { SIZE: text })).toThrow('SIZE: must be a whole number');
});
