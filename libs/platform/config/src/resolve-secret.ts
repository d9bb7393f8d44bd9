import { readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { secret, type Secret } from './secret.js';

export type SecretResult =
  | { readonly ok: true; readonly value: Secret }
  | { readonly ok: false; readonly code: SecretFaultCode; readonly detail: string };

/** Why a reference gave no secret. */
export type SecretFaultCode = 'secret-ref' | 'secret-missing' | 'secret-outside' | 'secret-empty';

/**
 * Only variables with this beginning can be named by a plan. Otherwise a plan could name
 * `DATABASE_URL` as its access token and have it sent to a server of its choice.
 */
const ENV_PREFIX = 'SECRET_';
const FILE_REF = /^[A-Za-z0-9_][A-Za-z0-9_.-]*(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/;

const fault = (code: SecretFaultCode, detail: string): SecretResult => ({
  ok: false,
  code,
  detail,
});

/**
 * Turns a reference (`file:acme/crm-token`, relative to the secrets folder, or `env:SECRET_NAME`)
 * into its secret, without a trailing newline. The detail of a fault names the reference only.
 */
export async function resolveSecret(
  ref: string,
  secretsDir: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<SecretResult> {
  const [kind, name = ''] = splitRef(ref);
  if (kind === 'env') return fromEnv(name, env);
  if (kind === 'file') return fromFile(name, secretsDir);
  return fault('secret-ref', 'a secret is named as file:path or env:SECRET_NAME');
}

function splitRef(ref: string): [string, string?] {
  const at = ref.indexOf(':');
  return at < 0 ? [''] : [ref.slice(0, at), ref.slice(at + 1)];
}

function fromEnv(name: string, env: Readonly<Record<string, string | undefined>>): SecretResult {
  if (!name.startsWith(ENV_PREFIX)) {
    return fault('secret-ref', `env:${name} must begin with ${ENV_PREFIX}`);
  }
  const value = env[name];
  if (value === undefined) return fault('secret-missing', `${name} is not set`);
  return value === '' ? fault('secret-empty', `${name} is empty`) : ok(value);
}

const ok = (value: string): SecretResult => ({ ok: true, value: secret(value) });

/** Symbolic links are followed (mounted secrets use them) but must stay inside the folder. */
async function fromFile(name: string, secretsDir: string): Promise<SecretResult> {
  if (!FILE_REF.test(name)) return fault('secret-ref', `file:${name} is not a plain relative path`);
  try {
    const root = await realpath(secretsDir);
    const path = await realpath(join(root, name));
    if (!path.startsWith(root + sep)) return fault('secret-outside', `file:${name} leads outside`);
    const text = (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
    return text === '' ? fault('secret-empty', `file:${name} is empty`) : ok(text);
  } catch {
    return fault('secret-missing', `file:${name} cannot be read in the secrets folder`);
  }
}
