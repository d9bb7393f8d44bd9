import { punycode } from './punycode.js';

/**
 * A host name in lower-case ASCII (international labels as `xn--…`), without a trailing dot, or
 * undefined when it is none: fewer than two labels, an address in digits, or a label that DNS does
 * not allow. Full-width letters and dots count as their plain forms (NFKC).
 */
export const asciiHostName = (text: string): string | undefined => {
  const lowered = text.normalize('NFKC').toLowerCase().normalize('NFKC');
  const labels = lowered.replace(/。/g, '.').replace(/\.$/, '').split('.').map(asciiLabel);
  const host = labels.join('.');
  if (labels.length < 2 || host.length > 253) return undefined;
  if (/^\d+$/.test(labels.at(-1) ?? '')) return undefined;
  return labels.every(isLabel) ? host : undefined;
};

const asciiLabel = (label: string): string =>
  /^[\x00-\x7f]*$/.test(label) ? label : `xn--${punycode(label)}`;

/** Underscores are no host names by the book and do occur. Spaces and signs never do. */
const isLabel = (label: string): boolean =>
  label.length <= 63 && /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/.test(label);
