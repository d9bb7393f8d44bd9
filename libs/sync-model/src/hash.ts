import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/**
 * First 128 bits of SHA-256 of the text's UTF-8 bytes, written as a uuid so that PostgreSQL stores
 * it in 16 bytes. Not a random uuid: the same text always gives the same answer.
 */
export const hash128 = (text: string): string => {
  const hex = bytesToHex(sha256(utf8ToBytes(text)).subarray(0, 16));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};
