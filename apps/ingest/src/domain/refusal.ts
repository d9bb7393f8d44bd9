/** A request that is not taken, in the words of our API. `details` name places, never values. */
export interface Refusal {
  readonly status: 400 | 401 | 413 | 503;
  readonly code: string;
  readonly message: string;
  readonly details: readonly Fault[];
}

export interface Fault {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** One answer for a wrong signature and for a tenant, source or endpoint that does not exist. */
export const notAuthentic: Refusal = {
  status: 401,
  code: 'signature',
  message:
    'The request is not signed by a secret of this address: check address, secret and clock.',
  details: [],
};

export const notKept: Refusal = {
  status: 503,
  code: 'not-kept',
  message: 'The request could not be kept. Nothing of it was taken; send it again as it is.',
  details: [],
};

export const malformed = (
  code: string,
  message: string,
  details: readonly Fault[] = [],
): Refusal => ({
  status: 400,
  code,
  message,
  details,
});
