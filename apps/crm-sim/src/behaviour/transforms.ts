import type { transformNames } from './behaviour.js';

export type TransformName = (typeof transformNames)[number];

const digitsOf = (text: string): string => text.replace(/\D/g, '');

const usPhone = (text: string): string => {
  const digits = digitsOf(text).replace(/^1(?=\d{10}$)/, '');
  return digits.length === 10
    ? `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`
    : text;
};

const TRANSFORMS: Record<TransformName, (text: string) => string> = {
  trim: (text) => text.trim(),
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  title: (text) =>
    text.replace(/\p{L}+/gu, (w) => w.slice(0, 1).toUpperCase() + w.slice(1).toLowerCase()),
  digits: digitsOf,
  e164: (text) => (digitsOf(text) === '' ? text : `+${digitsOf(text)}`),
  'us-phone': usPhone,
  crlf: (text) => text.replace(/\r?\n/g, '\r\n'),
  'html-escape': (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'),
  nfc: (text) => text.normalize('NFC'),
  nfd: (text) => text.normalize('NFD'),
};

/** Rewrites a value the way a CRM might, in the order given. Empty stays empty. */
export function applyTransforms(text: string, names: readonly TransformName[]): string {
  if (text === '') return '';
  return names.reduce((value, name) => TRANSFORMS[name](value), text);
}
