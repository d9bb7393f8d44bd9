/** What a call answers, before any fault touches it. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON; undefined sends no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An expected refusal travels as a value, never as an exception. */
export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: HubSpotError };

/** One refusal in HubSpot's words; `toAnswer` makes it a response, `toItem` an entry of a 207. */
export interface HubSpotError {
  readonly status: number;
  readonly category: string;
  readonly message: string;
  readonly subCategory?: string;
  readonly context?: Readonly<Record<string, readonly string[]>>;
  readonly errors?: readonly ErrorDetail[];
  /** Context the real API gives only in the entries of a 207. */
  readonly itemContext?: Readonly<Record<string, readonly string[]>>;
}

export interface ErrorDetail {
  readonly message: string;
  readonly code?: string;
  readonly in?: string;
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const refuse = (error: HubSpotError): { ok: false; error: HubSpotError } => ({
  ok: false,
  error,
});

/** The error as HubSpot's whole-call body: `{status:"error", message, correlationId, category…}`. */
export function toAnswer(error: HubSpotError, correlationId: string): Answer {
  return {
    status: error.status,
    body: {
      status: 'error',
      message: error.message,
      correlationId,
      ...(error.errors && { errors: error.errors }),
      ...(error.context && { context: error.context }),
      category: error.category,
      ...(error.subCategory && { subCategory: error.subCategory }),
    },
  };
}

/** The error as one entry of a 207's `errors`; `traceId` says which input it belongs to. */
export function toItem(error: HubSpotError, traceId?: string): Record<string, unknown> {
  const context = {
    ...(traceId !== undefined && { objectWriteTraceId: [traceId] }),
    ...error.context,
    ...error.itemContext,
  };
  return {
    status: 'error',
    category: error.category,
    ...(error.subCategory && { subCategory: error.subCategory }),
    message: error.message,
    ...(error.errors && { errors: error.errors }),
    context,
  };
}
