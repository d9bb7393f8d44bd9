import { BlockList, isIP } from 'node:net';

/**
 * Addresses that no CRM of the public internet has: this host, private networks, link-local (with
 * the clouds' metadata services), shared, documentation, multicast, reserved; and the IPv6 forms
 * that carry an IPv4 address inside, through which all of those could be reached once more.
 */
const ipv4Nets: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
const ipv6Nets: readonly (readonly [string, number])[] = [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

// Two lists, because a list that knows `::ffff:0:0/96` takes every IPv4 address for one of it.
const notPublic4 = new BlockList();
const notPublic6 = new BlockList();
for (const [net, bits] of ipv4Nets) notPublic4.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of ipv6Nets) notPublic6.addSubnet(net, bits, 'ipv6');

/** True for an IP address that must not be reached on behalf of a tenant, and for what is none. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  // A zone (`fe80::1%eth0`) only exists on the local link.
  if (family === 0 || address.includes('%')) return true;
  return family === 4 ? notPublic4.check(address, 'ipv4') : notPublic6.check(address, 'ipv6');
}

const PRIVATE_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|localdomain)$/;

/** True for a host name that can only mean something inside: one label, or a local suffix. */
export const isPrivateName = (name: string): boolean =>
  !name.includes('.') || PRIVATE_NAME.test(name);
