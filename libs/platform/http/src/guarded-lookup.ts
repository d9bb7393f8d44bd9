import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPrivateAddress } from './private-address.js';

/** All addresses of a host name; the system's resolver unless a test gives its own. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

/** The name leads to an address that must not be reached. Seen before any connection is made. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
  readonly code = 'private-address';
}

export const resolveBySystem: ResolveHost = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) =>
      error ? reject(error) : resolve(addresses),
    );
  });

/**
 * A lookup for sockets: resolves once, refuses the name when *any* of its addresses is private,
 * and hands over exactly what was checked, so that an answer that changes a moment later (DNS
 * rebinding) changes nothing.
 */
export const guardedLookup =
  (resolve: ResolveHost, allowPrivateAddress: boolean): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        const refused = addresses.some(({ address }) => isPrivateAddress(address));
        if (first === undefined) {
          callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), []);
        } else if (refused && !allowPrivateAddress) {
          callback(new PrivateAddressError('the name leads to a private address'), []);
        } else if (options.all === true) {
          callback(null, [...addresses]);
        } else {
          callback(null, first.address, first.family);
        }
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
