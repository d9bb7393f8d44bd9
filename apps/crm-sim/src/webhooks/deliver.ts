import { signatureV1, signatureV3 } from './signature.js';

/** Sends one body to the app; true when it was accepted (2xx in time). Never throws. */
export type Deliver = (body: string, timestampMs: number, timeoutMs: number) => Promise<boolean>;

/** Delivers over HTTP, signed. A redirect, a refusal, silence and a broken connection all count as failed. */
export function httpDeliver(url: string, clientSecret: string): Deliver {
  return async (body, timestampMs, timeoutMs) => {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          'Content-Type': 'application/json',
          'User-Agent':
            'HubSpot Connect 2.0 (http://dev.hubspot.com/) (namespace: webhooks-nio-http-client) - crm-sim',
          'X-HubSpot-Request-Timestamp': String(timestampMs),
          'X-HubSpot-Signature-v3': signatureV3(clientSecret, {
            method: 'POST',
            uri: url,
            body,
            timestampMs,
          }),
          'X-HubSpot-Signature': signatureV1(clientSecret, body),
          'X-HubSpot-Signature-Version': 'v1',
        },
      });
      await answer.arrayBuffer();
      return answer.status >= 200 && answer.status < 300;
    } catch {
      return false;
    }
  };
}
