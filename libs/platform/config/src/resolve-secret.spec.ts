import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveSecret } from './resolve-secret.js';

const base = mkdtempSync(join(tmpdir(), 'secrets-'));
const dir = join(base, 'secrets');
mkdirSync(join(dir, 'acme'), { recursive: true });
writeFileSync(join(dir, 'acme/token'), 'tok-1\n');
writeFileSync(join(dir, 'acme/empty'), '\n');
writeFileSync(join(base, 'outside'), 'no');
symlinkSync(join(base, 'outside'), join(dir, 'acme/link-out'));
symlinkSync(join(dir, 'acme/token'), join(dir, 'acme/link-in'));
afterAll(() => rmSync(base, { recursive: true }));

const env = { SECRET_ACME: 'tok-2', SECRET_EMPTY: '', DATABASE_URL: 'postgres://x' };

test.each([
  ['file:acme/token', 'tok-1'],
  ['file:acme/link-in', 'tok-1'],
  ['env:SECRET_ACME', 'tok-2'],
])('%s is found', async (ref, value) => {
  const result = await resolveSecret(ref, dir, env);
  expect(result.ok && result.value.reveal()).toBe(value);
});

test.each([
  ['file:acme/absent', 'secret-missing'],
  ['file:acme', 'secret-missing'],
  ['file:acme/empty', 'secret-empty'],
  ['file:../outside', 'secret-ref'],
  ['file:acme/../../outside', 'secret-ref'],
  ['file:/etc/passwd', 'secret-ref'],
  ['file:acme//token', 'secret-ref'],
  ['file:acme/\0token', 'secret-ref'],
  ['file:', 'secret-ref'],
  ['file:acme/link-out', 'secret-outside'],
  ['env:DATABASE_URL', 'secret-ref'],
  ['env:SECRET_ABSENT', 'secret-missing'],
  ['env:SECRET_EMPTY', 'secret-empty'],
  ['tok-plain', 'secret-ref'],
  ['', 'secret-ref'],
])('%s is refused as %s', async (ref, code) => {
  expect(await resolveSecret(ref, dir, env)).toMatchObject({ ok: false, code });
});
