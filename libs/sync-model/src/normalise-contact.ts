import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { asciiHostName } from './host-name.js';

/** `trim` also takes no-break spaces; invisible joiners at the ends are taken as well. */
export const trimmed = (text: string): string =>
  text.replace(/^[\s\u200b-\u200d\u2060\ufeff]+|[\s\u200b-\u200d\u2060\ufeff]+$/g, '');

/**
 * An address in the form by which people are found: trimmed, NFC, lower case, domain in ASCII.
 * Plus tags and dots stay: to some mail systems they are other people, and nobody asked us to join
 * them. Undefined when it is no address (RFC 5321 sizes, no spaces, one `@`, a dotted domain).
 */
export const normaliseEmail = (raw: string): string | undefined => {
  const [local = '', domain = '', ...more] = trimmed(raw).split('@');
  const name = local.normalize('NFC').toLowerCase().normalize('NFC');
  const host = asciiHostName(domain);
  if (more.length > 0 || host === undefined) return undefined;
  if (name === '' || name.length > 64 || /[\s"(),:;<>[\\\]\p{Cc}\p{Cf}]/u.test(name)) {
    return undefined;
  }
  const address = `${name}@${host}`;
  return address.length <= 254 ? address : undefined;
};

/**
 * A company's domain: without scheme, path, query, port, trailing dot and leading `www.`, lower
 * case, ASCII. Other sub-domains stay: `shop.example.com` is not `example.com`.
 * Undefined when what is left is no host name.
 */
export const normaliseDomain = (raw: string): string | undefined => {
  const authority = trimmed(raw)
    .replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//i, '')
    .replace(/[/?#\\].*$/s, '')
    .replace(/:\d*$/, '');
  const host = asciiHostName(authority);
  return host === undefined ? undefined : withoutWww(host);
};

/** `www.com` is a domain of its own, so at least two labels stay. */
const withoutWww = (host: string): string => {
  let rest = host;
  while (rest.startsWith('www.') && rest.slice(4).includes('.')) rest = rest.slice(4);
  return rest;
};

/**
 * A phone number as E.164, the extension kept behind it: `+14155550100;ext=12` (RFC 3966). A number
 * without a country code is read in `country`; without one it is refused, never guessed.
 */
export const normalisePhone = (raw: string, country?: string): string | undefined => {
  const text = trimmed(raw).normalize('NFKC').replace(/^tel:/i, '');
  const known = country !== undefined && isSupportedCountry(country) ? country : undefined;
  const parsed = parsePhoneNumberFromString(text, {
    ...(known === undefined ? {} : { defaultCountry: known }),
    extract: false,
  });
  if (parsed === undefined || !parsed.isPossible()) return undefined;
  return parsed.ext ? `${parsed.number};ext=${parsed.ext}` : parsed.number;
};
