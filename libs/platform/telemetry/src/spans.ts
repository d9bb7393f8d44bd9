import type { Context, Link, Span } from '@opentelemetry/api';
import { SpanKind, SpanStatusCode, context, trace } from '@opentelemetry/api';
import type { SpanAttributes } from './attributes.js';
import { keepAllowed, spanAttributes } from './attributes.js';
import { parseTraceparent, traceparentOf } from './traceparent.js';

export type SpanKindName = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export interface SpanOptions {
  readonly kind?: SpanKindName | undefined;
  readonly attributes?: SpanAttributes | undefined;
  /** `traceparent` of the remote parent, as stored in a header or row. Else the active span. */
  readonly parent?: string | undefined;
  /** `traceparent`s this work also belongs to. Only the first 128 are kept, as the SDK does. */
  readonly links?: readonly (string | undefined)[] | undefined;
  /** Begin a new trace whatever is active: for loops that serve many traces at once. */
  readonly root?: boolean | undefined;
}

export interface SpanHandle {
  /** `traceparent` of this span; undefined while no telemetry is started. */
  readonly traceparent: string | undefined;
  setAttributes(attributes: SpanAttributes): void;
}

const linksMax = 128;
const kinds: Readonly<Record<SpanKindName, SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** The class or code of an error, never its text: the text may quote a payload. */
function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? `${error.name}:${code}` : error.name;
}

function linksOf(traceparents: readonly (string | undefined)[]): Link[] {
  const links: Link[] = [];
  for (const text of traceparents) {
    if (links.length === linksMax) break;
    const linked = parseTraceparent(text);
    if (linked !== undefined) links.push({ context: linked });
  }
  return links;
}

function parentContext(parent: string | undefined): Context {
  const remote = parseTraceparent(parent);
  return remote === undefined ? context.active() : trace.setSpanContext(context.active(), remote);
}

function handleOf(span: Span): SpanHandle {
  return {
    traceparent: traceparentOf(span.spanContext()),
    setAttributes: (attributes) => void span.setAttributes(keepAllowed(attributes)),
  };
}

/**
 * Runs `fn` inside a span and ends the span with it. What `fn` returns is returned, what it throws
 * is thrown on; then the span carries `error.type`.
 */
export async function withSpan<T>(
  name: string,
  options: SpanOptions,
  fn: (span: SpanHandle) => T | Promise<T>,
): Promise<T> {
  const parent = parentContext(options.parent);
  const span = trace.getTracer('counterpart').startSpan(
    name,
    {
      kind: kinds[options.kind ?? 'internal'],
      attributes: keepAllowed(options.attributes ?? {}),
      links: linksOf(options.links ?? []),
      root: options.root ?? false,
    },
    parent,
  );
  try {
    return await context.with(trace.setSpan(parent, span), () => fn(handleOf(span)));
  } catch (error) {
    span.setAttributes({ [spanAttributes.errorType]: errorTypeOf(error) });
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
