import { describeCrmConformance } from '@counterpart/crm-conformance';
import { hubspotWorld } from './hubspot-world.js';

const world = hubspotWorld();
afterAll(() => world.close());

describeCrmConformance('HubSpot', world);
