export { createHubspotAdapter } from './adapter.js';
export { hubspotInbound } from './inbound.js';
