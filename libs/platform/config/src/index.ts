export { ConfigFault, parseConfig, type Environment } from './parse-config.js';
export { Secret, secret } from './secret.js';
export { resolveSecret, type SecretFaultCode, type SecretResult } from './resolve-secret.js';
export { serviceSettings, settings } from './settings.js';
