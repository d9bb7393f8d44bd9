import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { startService, type RunningService } from '@counterpart/platform-service';
import { silentLogger, type Logger } from '@counterpart/platform-telemetry';
import { asSourceId, asTenantId, type SourceEvent } from '@counterpart/sync-model';
import { DeliveriesController } from '../adapters/inbound/deliveries.controller.js';
import { FaultsFilter } from '../adapters/inbound/faults.filter.js';
import { takeRawBodies } from '../adapters/inbound/raw-body.js';
import { verifyStandardWebhook } from '../adapters/inbound/standard-webhooks.js';
import { INGEST_PORTS, PUBLIC_URL } from '../adapters/inbound/tokens.js';
import type { IngestPorts, QuarantinedDelivery, Refused } from '../application/ports.js';
import { doorsOf, type VersionedSlice } from '../domain/endpoints.js';
import { appSecret } from './signed.js';

export const publicUrl = 'https://hooks.example.com';
export const crmSecret = 'the client secret of our HubSpot app';
export const bodyBytesMax = 20_000;

/** What the doors did: kept, refused, put aside. */
export interface Seen {
  readonly published: SourceEvent[];
  readonly refused: Refused[];
  readonly quarantined: QuarantinedDelivery[];
}

const secretValues: Readonly<Record<string, string>> = {
  'file:acme/app': appSecret,
  'file:other/app': Buffer.from('the secret of another tenant').toString('base64'),
  'file:shared/crm': crmSecret,
};

/** Tenants `acme` and `other`, each with an app; `acme` receives for portal 62515 at `acme-crm`. */
const slices: readonly VersionedSlice[] = ['acme', 'other'].map((tenant) => ({
  tenantId: asTenantId(tenant),
  version: 1,
  records: { contact: { email: { type: 'email' }, firstName: { type: 'text' } } },
  apps: [
    {
      sourceId: asSourceId('app'),
      secrets: [`file:${tenant}/app`],
      recordTypes: ['contact'],
    },
  ],
  webhooks:
    tenant === 'other'
      ? []
      : [
          {
            sourceId: asSourceId('crm'),
            provider: 'hubspot',
            endpoint: 'acme-crm',
            secrets: ['file:shared/crm'],
            settings: { portalId: '62515' },
            records: [
              {
                recordType: 'contact',
                objectName: 'contacts',
                matchFields: ['email'],
                fields: [{ field: 'email', property: 'email', fieldType: { type: 'email' } }],
              },
            ],
          },
        ],
}));

/** Both doors on a free port of this machine, over ports that remember. */
export async function openDoors(
  ports: Partial<IngestPorts> = {},
  log: Logger = silentLogger,
): Promise<{ readonly service: RunningService; readonly seen: Seen }> {
  const seen: Seen = { published: [], refused: [], quarantined: [] };
  const doors = doorsOf(
    slices,
    () => undefined,
    (_provider, settings) => ({ instanceId: String(settings['portalId']), ownMarker: '1' }),
  );
  const value: IngestPorts = {
    clock: { nowMs: () => Date.now(), monotonicMs: () => performance.now() },
    doors: () => Promise.resolve(doors),
    secrets: (refs) => Promise.resolve(refs.flatMap((ref) => secretValues[ref] ?? [])),
    verifyApp: verifyStandardWebhook,
    publish: (events) => Promise.resolve(void seen.published.push(...events)),
    refused: (refused) => void seen.refused.push(refused),
    quarantine: (delivery) => Promise.resolve(void seen.quarantined.push(delivery)),
    ...ports,
  };
  const service = await startService({
    service: 'ingest',
    module: DoorsModule.with(value, log),
    port: 0,
    bodyLimit: bodyBytesMax,
    configure: takeRawBodies,
  });
  return { service, seen };
}

@Module({})
class DoorsModule {
  static with(ports: IngestPorts, log: Logger): DynamicModule {
    return {
      module: DoorsModule,
      controllers: [DeliveriesController],
      providers: [
        { provide: INGEST_PORTS, useValue: ports },
        { provide: PUBLIC_URL, useValue: publicUrl },
        { provide: APP_FILTER, useValue: new FaultsFilter(log) },
      ],
    };
  }
}
