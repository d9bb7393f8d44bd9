import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PlanParts {
  readonly tenant?: string;
  readonly baseUrl?: string;
  /** Extra lines of the CRM source. */
  readonly more?: string;
}

/** Writes a plan with one app and one CRM; returns its path. */
export function planFile({ tenant = 'acme', baseUrl, more = '' }: PlanParts = {}): string {
  const file = join(mkdtempSync(join(tmpdir(), 'plan-')), 'plan.yaml');
  writeFileSync(
    file,
    `apiVersion: counterpart/v1
tenant: ${tenant}
records: { contact: { match: [email], fields: { email: { type: email, owner: app } } } }
sources:
  app: { provider: app, signing: { secrets: ["file:acme/app"] }, records: { contact: {} } }
  crm:
    provider: hubspot
    baseUrl: ${baseUrl ?? 'https://api.hubapi.com'}
    credentials: { accessToken: "file:acme/token" }
    records: { contact: { object: contacts, fields: { email: email } } }
${more}`,
  );
  return file;
}
