import { refuse, ok, type HubSpotError, type Result } from '../answers/answer.js';
import { tokenExpired, unauthorised } from '../answers/errors.js';
import { systemClock, type SimClock } from './clock.js';
import { Portal } from './portal.js';
import type { portalSpecSchema } from './portal-spec.js';
import { type PortalSpec } from './portal-spec.js';

const FIRST_PORTAL_ID = 148_000_001;

/** All portals of the process. A call reaches exactly the one whose token it bears. */
export class PortalRegistry {
  private readonly byId = new Map<number, Portal>();
  private made = 0;

  constructor(readonly clock: SimClock = systemClock) {}

  /** Makes a portal, or says which of its identities is taken. */
  add(
    input: ReturnType<typeof portalSpecSchema.parse>,
  ): { readonly portal: Portal } | { readonly taken: string } {
    const spec: PortalSpec = { ...input, portalId: input.portalId ?? this.freeId() };
    if (this.byId.has(spec.portalId)) return { taken: `portalId ${spec.portalId}` };
    if (this.list().some((other) => other.spec.accessToken === spec.accessToken))
      return { taken: 'accessToken' };
    const portal = new Portal(spec, this.clock);
    this.byId.set(spec.portalId, portal);
    return { portal };
  }

  find(portalId: number): Portal | undefined {
    return this.byId.get(portalId);
  }

  remove(portalId: number): boolean {
    this.byId.get(portalId)?.close();
    return this.byId.delete(portalId);
  }

  list(): Portal[] {
    return [...this.byId.values()];
  }

  /** The portal of an `Authorization` header, or HubSpot's 401. `expired` refuses what it asks. */
  authorise(
    header: string | undefined,
  ): Result<{ readonly portal: Portal; readonly expired: HubSpotError | null }> {
    const token = /^Bearer\s+(.+)$/i.exec(header ?? '')?.[1];
    if (token === undefined) return refuse(unauthorised());
    const nowMs = this.clock.nowMs();
    for (const portal of this.byId.values()) {
      const endsAtMs = endOf(portal, token, nowMs);
      if (endsAtMs === null) continue;
      return ok({ portal, expired: endsAtMs > nowMs ? null : tokenExpired(endsAtMs, nowMs) });
    }
    return refuse(unauthorised());
  }

  close(): void {
    [...this.byId.keys()].forEach((id) => this.remove(id));
  }

  private freeId(): number {
    for (;;) {
      const id = FIRST_PORTAL_ID + this.made++;
      if (!this.byId.has(id)) return id;
    }
  }
}

/** Until when a token is good for a portal; null when it is none of its. */
function endOf(portal: Portal, token: string, nowMs: number): number | null {
  if (portal.spec.accessToken === token) {
    return portal.behaviour.tokenExpired ? nowMs - 4_000 : Infinity;
  }
  return portal.refreshedTokens.get(token) ?? null;
}
