import type {
  Connection,
  CrmAdapter,
  CrmAdapterFactory,
  CrmInbound,
  CrmPorts,
} from '@counterpart/crm-port';
import { createHubspotAdapter, hubspotInbound } from '@counterpart/crm-hubspot';

interface ProviderEntry {
  readonly inbound: CrmInbound;
  readonly createAdapter: CrmAdapterFactory;
}

/** Every provider the product speaks to. A new one is a folder in `libs/crm` and one line here. */
const providers: ReadonlyMap<string, ProviderEntry> = new Map([
  ['hubspot', { inbound: hubspotInbound, createAdapter: createHubspotAdapter }],
]);

/** Names a sync plan may use as `provider` of a CRM source. */
export const knownProviders: readonly string[] = [...providers.keys()];

/** The receiving half of a provider; undefined when no such provider is built in. */
export const inboundFor = (provider: string): CrmInbound | undefined =>
  providers.get(provider)?.inbound;

/**
 * The adapter of one connection; undefined when its provider is not built in. Makes no call.
 * One instance remembers what the source offers, so keep it for as long as the connection stays.
 */
export const adapterFor = (connection: Connection, ports: CrmPorts): CrmAdapter | undefined =>
  providers.get(connection.provider)?.createAdapter(connection, ports);
