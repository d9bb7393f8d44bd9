import type { Refused } from './classify.js';

const refused = (code: string, detail: string): Refused => ({
  kind: 'refused',
  code,
  detail,
  existingId: null,
  field: null,
});

/** Refusals of our own, made before anything is sent. */
export const refusedAsUnmapped = refused(
  'invalid',
  'the plan maps no such record type at this source',
);
export const refusedAsEmpty = refused('invalid', 'the plan maps none of the fields to be written');
