import type { CrmAdapterFactory } from '@counterpart/crm-port';

const unbuilt = { kind: 'unsent', code: 'not-built' } as const;
const unread = { kind: 'unreadable', code: 'not-built', retryAtMs: null } as const;

/** The writing and reading half of HubSpot, for one connection. */
export const createHubspotAdapter: CrmAdapterFactory = () => ({
  prepare: () => Promise.resolve({ code: 'not-built', retryAtMs: null }),
  create: (_type, items) => Promise.resolve(items.map(() => unbuilt)),
  update: (_type, items) => Promise.resolve(items.map(() => unbuilt)),
  associate: (items) => Promise.resolve(items.map(() => unbuilt)),
  read: (_type, ids) => Promise.resolve(ids.map(() => unread)),
  find: (_type, items) => Promise.resolve(items.map(() => unread)),
  probe: (_type, items) => Promise.resolve(items.map(() => unread)),
});
