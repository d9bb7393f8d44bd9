import { isIP } from 'node:net';
import { isPrivateAddress, isPrivateName } from './private-address.js';

export type TargetFaultCode =
  'url-invalid' | 'url-scheme' | 'url-credentials' | 'address-form' | 'private-address';

export type TargetResult =
  { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly code: TargetFaultCode };

const refuse = (code: TargetFaultCode): TargetResult => ({ ok: false, code });

/**
 * Whether a URL may be called on behalf of a tenant, as far as its text tells; what a name
 * resolves to is checked again when the connection is made. With `allowPrivateAddress` (for
 * development) http and private addresses pass too.
 */
export function safeTarget(text: string, allowPrivateAddress: boolean): TargetResult {
  // URL parsers drop or turn these characters around, each in its own way.
  if (/[\s\\\u0000-\u001f\u007f]/.test(text) || !URL.canParse(text)) return refuse('url-invalid');
  const url = new URL(text);
  if (!/^https?:\/\//i.test(text)) return refuse('url-scheme');
  if (url.username !== '' || url.password !== '' || authorityOf(text).includes('@')) {
    return refuse('url-credentials');
  }
  if (!allowPrivateAddress && url.protocol !== 'https:') return refuse('url-scheme');
  if (isDisguised(text, url)) return refuse('address-form');
  if (!allowPrivateAddress && isPrivateHost(url)) return refuse('private-address');
  return { ok: true, url };
}

const authorityOf = (text: string): string => /^https?:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';

/** Host without brackets and without the dot of an absolute name. */
export const bareHost = (url: URL): string =>
  url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/**
 * An IPv4 address written as anything but four decimal numbers (`0x7f.1`, `2130706433`,
 * `127.0.0.1.`, full-width digits), or an IPv6 address with an IPv4 one inside.
 */
function isDisguised(text: string, url: URL): boolean {
  const host = bareHost(url);
  const written = authorityOf(text).replace(/:\d*$/, '');
  if (isIP(host) === 4) return written !== host;
  return (
    isIP(host) === 6 && (written.includes('.') || /^::(ffff:)?[0-9a-f]+:[0-9a-f]+$/.test(host))
  );
}

function isPrivateHost(url: URL): boolean {
  const host = bareHost(url);
  return isIP(host) === 0 ? isPrivateName(host) : isPrivateAddress(host);
}
