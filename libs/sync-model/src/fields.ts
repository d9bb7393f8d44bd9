/**
 * Field values in canonical form, under the tenant's canonical field names. A key that is missing
 * says nothing about the field; `null` says that it was cleared. The two are never mixed up.
 */
export type FieldValue = string | number | boolean | null;
export type Fields = Readonly<Record<string, FieldValue>>;

/** Declared type of a canonical field; decides how values are normalised and compared. */
export type FieldType =
  | {
      readonly type: 'text';
      readonly max?: number | undefined;
      readonly overflow?: 'truncate' | 'refuse' | undefined;
    }
  | { readonly type: 'email' }
  | { readonly type: 'phone'; readonly country?: string | undefined }
  | { readonly type: 'domain' }
  | { readonly type: 'date' }
  | { readonly type: 'instant' }
  | { readonly type: 'picklist'; readonly options: readonly string[] }
  | { readonly type: 'number' }
  | { readonly type: 'boolean' };
