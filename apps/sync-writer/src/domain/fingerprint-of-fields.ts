import { canonicalText, hash128, type Fields } from '@counterpart/sync-model';

/** Fingerprint of a set of field values, whatever their order. */
export const fingerprintOfFields = (fields: Fields): string => hash128(canonicalText(fields));
