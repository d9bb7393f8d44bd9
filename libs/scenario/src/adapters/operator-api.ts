import type { GateDecision } from '../domain/evidence.js';
import { call, exchange, listOf, numberOf, objectOf, textOf, Unreachable } from './json-http.js';

export const serviceNames = ['ingest', 'dedupe', 'sync-writer', 'reconciler'] as const;
export type ServiceName = (typeof serviceNames)[number];
export type ServiceUrls = Readonly<Record<string, string>>;

const urlOf = (urls: ServiceUrls, service: ServiceName): string => urls[service] ?? '';

/** The version of a tenant's plan that a service works by; null when it has none or is not there. */
export async function planVersion(
  urls: ServiceUrls,
  service: ServiceName,
  tenantId: string,
): Promise<number | null> {
  try {
    const reply = await exchange('GET', `${urlOf(urls, service)}/operator/plans/${tenantId}`);
    return reply.status === 200 ? numberOf(objectOf(reply.body)['version']) : null;
  } catch (error) {
    if (error instanceof Unreachable) return null;
    throw error;
  }
}

/** How much work of a tenant a service still has; null when it does not answer. */
export async function backlog(
  urls: ServiceUrls,
  service: ServiceName,
  tenantId: string,
): Promise<number | null> {
  try {
    const url = `${urlOf(urls, service)}/operator/backlog?tenant=${tenantId}`;
    const reply = await exchange('GET', url);
    return reply.status === 200 ? numberOf(objectOf(reply.body)['pending']) : null;
  } catch (error) {
    if (error instanceof Unreachable) return null;
    throw error;
  }
}

/** Cases of a tenant in every state, as the reconciler tells them. */
export async function casesOf(
  urls: ServiceUrls,
  tenantId: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const url = `${urlOf(urls, 'reconciler')}/operator/cases?tenant=${tenantId}`;
  return listOf((await call('GET', url))['cases']);
}

/** What dedupe decided about each event of a tenant, one row per event key. */
export async function gateDecisions(
  urls: ServiceUrls,
  tenantId: string,
): Promise<readonly GateDecision[]> {
  const url = `${urlOf(urls, 'dedupe')}/operator/events/${tenantId}?limit=10000`;
  return listOf((await call('GET', url))['events']).map((event) => ({
    eventKey: textOf(event['eventKey']),
    outcome: textOf(event['outcome']),
    sourceId: textOf(event['sourceId']),
    recordType: textOf(event['recordType']),
    externalId: textOf(event['externalId']),
  }));
}
