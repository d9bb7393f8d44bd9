import type { SpanContext } from '@opentelemetry/api';
import { isSpanContextValid, trace } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';

/** The W3C `traceparent` header value of a span: `00-<32 hex>-<16 hex>-<2 hex>`. */
export function traceparentOf(context: SpanContext): string | undefined {
  if (!isSpanContextValid(context)) return undefined;
  const flags = (context.traceFlags & 0xff).toString(16).padStart(2, '0');
  return `00-${context.traceId}-${context.spanId}-${flags}`;
}

/** The span context a `traceparent` names, or undefined when the text is none. Never throws. */
export function parseTraceparent(text: string | undefined): SpanContext | undefined {
  if (text === undefined) return undefined;
  const parsed = parseTraceParent(text);
  if (parsed === null || !isSpanContextValid(parsed)) return undefined;
  return { ...parsed, isRemote: true };
}

/**
 * The `traceparent` of the span that is active here, to be stored on a row or in a message header.
 * Undefined outside any span.
 */
export function currentTraceparent(): string | undefined {
  const span = trace.getActiveSpan();
  return span === undefined ? undefined : traceparentOf(span.spanContext());
}
