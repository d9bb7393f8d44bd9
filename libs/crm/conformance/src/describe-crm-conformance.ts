import { describeAssociations } from './associations.js';
import { describeCapabilities } from './capabilities.js';
import { describeConnections } from './connections.js';
import { describeCreates } from './creates.js';
import { describeExisting } from './existing.js';
import { describeFinds } from './finds.js';
import { describeLimits } from './limits.js';
import { describeLostAnswers } from './lost-answers.js';
import { describeLostCreates } from './lost-creates.js';
import { describeReads } from './reads.js';
import { describeUpdateBatches } from './update-batches.js';
import { describeUpdates } from './updates.js';
import { describeValues } from './values.js';
import type { ConformancePortal, ConformanceWorld, PortalOptions } from './world.js';

/** A portal that is closed when its test ends. */
export type OpenPortal = (options?: PortalOptions) => Promise<ConformancePortal>;

/**
 * The suite every provider adapter must pass, against a portal that keeps state and misbehaves.
 * Call it in a Jest file; each test opens a portal of its own.
 */
export const describeCrmConformance = (name: string, world: ConformanceWorld): void => {
  describe(`${name}: CRM adapter conformance`, () => {
    const opened: ConformancePortal[] = [];
    const open: OpenPortal = async (options) => {
      const portal = await world.openPortal(options);
      opened.push(portal);
      return portal;
    };
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((portal) => portal.close()));
    });

    describeCreates(open);
    describeExisting(open);
    describeCapabilities(open);
    describeLostCreates(open);
    describeLostAnswers(open);
    describeUpdates(open);
    describeUpdateBatches(open);
    describeValues(open);
    describeReads(open);
    describeFinds(open);
    describeAssociations(open);
    describeLimits(open);
    describeConnections(open);
  });
};
