import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a tenant of a scenario signs and is recognised by. Base64 keys without prefix. */
export interface TenantSecrets {
  readonly app: string;
  readonly retiredApp: string;
  readonly crmToken: (source: string) => string;
  readonly crmWebhook: (source: string) => string;
}

/**
 * Writes a tenant's secrets where the services resolve `file:<tenant>/…`: `app` (with the prefix
 * of Standard Webhooks), `<source>-token` and `<source>-webhook` for each CRM.
 */
export function writeSecrets(
  secretsDir: string,
  tenantId: string,
  crmSources: readonly string[],
): TenantSecrets {
  const folder = join(secretsDir, tenantId);
  mkdirSync(folder, { recursive: true });
  const app = randomBytes(24).toString('base64');
  const retiredApp = randomBytes(24).toString('base64');
  const put = (name: string, text: string): void =>
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  put('app', `whsec_${app}`);
  const tokens = new Map(
    crmSources.map((source) => [source, `token-${randomBytes(18).toString('hex')}`]),
  );
  const webhooks = new Map(crmSources.map((source) => [source, randomBytes(18).toString('hex')]));
  for (const [source, token] of tokens) put(`${source}-token`, token);
  for (const [source, secret] of webhooks) put(`${source}-webhook`, secret);
  return {
    app,
    retiredApp,
    crmToken: (source) => tokens.get(source) ?? '',
    crmWebhook: (source) => webhooks.get(source) ?? '',
  };
}

/** Forgets a tenant's secrets when its scenario is over. */
export function removeSecrets(secretsDir: string, tenantId: string): void {
  rmSync(join(secretsDir, tenantId), { recursive: true, force: true });
}
