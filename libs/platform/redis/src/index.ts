export { createRedis, type RedisOptions, type RedisPort } from './create-redis.js';
export type { ClaimMirror } from './claim-mirror.js';
export type { WakeUps } from './wake-ups.js';
export type { CallGrant, CallLimiter, CallRequest, CallWindow } from './call-limiter.js';
export { createLocalLimiter } from './local-limiter.js';
export type { Unavailable } from './redis-connection.js';
