export { eventually, type EventuallyOptions } from './eventually.js';
export { repositoryRoot, testEnv, type TestEnv } from './test-env.js';
export { tcpProxy, type TcpProxy } from './tcp-proxy.js';
export { uniqueTenant } from './unique-tenant.js';
export {
  emptyDatabase,
  scratchDatabase,
  type EmptyDatabase,
  type ScratchDatabase,
} from './scratch-database.js';
export { topicProbe, type ProbedMessage, type TopicProbe } from './topic-probe.js';
export { goldenSchema } from './golden-schema.js';
