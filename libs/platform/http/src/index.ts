export {
  createHttpClient,
  createHttpSend,
  type HttpClient,
  type HttpOptions,
} from './create-http-send.js';
export { safeTarget, type TargetFaultCode, type TargetResult } from './safe-target.js';
export { isPrivateAddress } from './private-address.js';
export type { ResolveHost } from './guarded-lookup.js';
