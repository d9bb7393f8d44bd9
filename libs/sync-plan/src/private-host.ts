import { BlockList, isIP } from 'node:net';

/** Not public: own host, private networks, link-local with the clouds' metadata, shared, reserved. */
const notPublic = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  notPublic.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  notPublic.addSubnet(net, bits, 'ipv6');

/**
 * Whether a URL's host is visibly not public. Decimal, octal and hexadecimal forms have become
 * plain addresses in `url.hostname` already. A public name that resolves to a private address is
 * caught where the connection is made, not here.
 */
export function isPrivateHost(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const family = isIP(host);
  if (family === 4) return notPublic.check(host, 'ipv4');
  if (family === 6) return notPublic.check(host, 'ipv6');
  return !host.includes('.') || /(^|\.)(localhost|local|internal|home\.arpa)$/.test(host);
}
