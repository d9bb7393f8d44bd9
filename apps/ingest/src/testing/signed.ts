import { createHmac } from 'node:crypto';

/** Secrets of a spec's app sources, by reference. */
export const appSecret = Buffer.from('the secret of the app under test').toString('base64');

export interface SignedOptions {
  readonly secret?: string;
  readonly id?: string;
  /** Ms since the epoch; now unless told. */
  readonly atMs?: number;
}

/** Headers of Standard Webhooks over a body. */
export const signedHeaders = (body: string | Uint8Array, options: SignedOptions = {}) => {
  const { secret = appSecret, id = 'msg-1', atMs = Date.now() } = options;
  const timestamp = String(Math.floor(atMs / 1_000));
  const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
};

/** Headers of HubSpot's signature v3 over a body sent to `url`. */
export const hubspotHeaders = (url: string, body: string, secret: string) => {
  const timestamp = String(Date.now());
  const signature = createHmac('sha256', secret)
    .update(`POST${url}${body}${timestamp}`)
    .digest('base64');
  return {
    'content-type': 'application/json',
    'x-hubspot-request-timestamp': timestamp,
    'x-hubspot-signature-v3': signature,
  };
};
