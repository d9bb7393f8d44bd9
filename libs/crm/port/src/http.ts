/** One HTTP request by an adapter. No retries below this line; the deadline is absolute. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Full URL, already checked against the connection's base URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly deadlineMs: number;
  /** Private and loopback addresses are refused unless the connection allows them. */
  readonly allowPrivateAddress: boolean;
}

export interface HttpAnswer {
  readonly kind: 'answer';
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `unsent`: no byte of the request can have reached the peer. `unknown`: it may have been run. */
export type HttpOutcome =
  | HttpAnswer
  | { readonly kind: 'unsent'; readonly code: string }
  | { readonly kind: 'unknown'; readonly code: string };

export type HttpSend = (request: HttpRequest) => Promise<HttpOutcome>;
