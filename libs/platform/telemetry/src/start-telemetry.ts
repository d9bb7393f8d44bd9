import { context, propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { AlwaysOnSampler, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

export interface TelemetryOptions {
  /** `service.name` of every span: `ingest`. */
  readonly service: string;
  readonly instanceId?: string | undefined;
  /** OTLP/HTTP address, `http://127.0.0.1:4318/v1/traces`. Without it nothing is exported. */
  readonly otlpUrl?: string | undefined;
  /** Where finished spans go besides the exporter. Tests read spans here. */
  readonly processors?: readonly SpanProcessor[] | undefined;
}

export interface Telemetry {
  /** Sends what is buffered, waits at most five seconds, and lets tracing be started again. */
  shutdown(): Promise<void>;
}

const flushMaxMs = 5_000;

function processorsOf(options: TelemetryOptions): SpanProcessor[] {
  const processors = [...(options.processors ?? [])];
  if (options.otlpUrl !== undefined) {
    processors.push(
      new BatchSpanProcessor(
        new OTLPTraceExporter({ url: options.otlpUrl, timeoutMillis: 5_000 }),
        {
          scheduledDelayMillis: 500,
          maxQueueSize: 8_192,
        },
      ),
    );
  }
  return processors;
}

async function shutdownWithin(provider: NodeTracerProvider): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, flushMaxMs);
  });
  try {
    // A collector that is down must not keep a service from stopping.
    await Promise.race([provider.shutdown().catch(() => undefined), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Starts tracing for this process. Spans are recorded and carry real ids even when nothing exports
 * them, so that one change keeps one trace id through headers and rows and a collector can be
 * added to any service later. The context follows promises and callbacks.
 */
export function startTelemetry(options: TelemetryOptions): Telemetry {
  const provider = new NodeTracerProvider({
    sampler: new AlwaysOnSampler(),
    resource: resourceFromAttributes({
      'service.name': options.service,
      'service.namespace': 'counterpart',
      ...(options.instanceId === undefined ? {} : { 'service.instance.id': options.instanceId }),
    }),
    spanProcessors: processorsOf(options),
  });
  provider.register({ propagator: new W3CTraceContextPropagator() });
  return {
    async shutdown() {
      await shutdownWithin(provider);
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}
