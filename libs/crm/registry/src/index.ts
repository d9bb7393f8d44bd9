export { adapterFor, inboundFor, knownProviders } from './registry.js';
