import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context as TraceContext,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Middleware } from 'koa';
import { currentRequest } from './current-request.ts';
import type { Traces } from './traces.ts';

/** How long a collector may take. A stop waits no longer for it. */
const exportTimeout = 3_000;
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** @param url where spans are posted to, as OTLP in JSON */
export function createOtlpTraces(url: string): Traces {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'lead-service' }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url, timeoutMillis: exportTimeout }),
        exportTimeoutMillis: exportTimeout,
        scheduledDelayMillis: 1_000,
      }),
    ],
  });
  const tracer = provider.getTracer('lead-service');
  return {
    middleware: traceRequests(tracer),
    observeCommit: ({ place, leads, seconds }) =>
      record(tracer, 'commit leads', seconds, { 'leads.place': place, 'leads.count': leads }),
    observeDelivery: (kind, outcome, seconds) =>
      record(tracer, `deliver ${kind}`, seconds, { 'delivery.kind': kind, 'delivery.outcome': outcome }),
    async stop() {
      // A collector that is away is no reason to fail: the spans are lost, no lead is.
      await Promise.race([provider.shutdown().catch(() => undefined), after(exportTimeout)]);
    },
  };
}

function traceRequests(tracer: Tracer): Middleware {
  return async (ctx, next) => {
    const method = knownMethods.has(ctx.method) ? ctx.method : '_OTHER';
    const options = {
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': method, 'lead_service.request_id': currentRequest()?.id },
    };
    const span = tracer.startSpan(method, options, parentOf(ctx.get('traceparent')));
    try {
      await next();
    } finally {
      // The pattern, never the path: a path may hold anything.
      const route: unknown = ctx['_matchedRoute'];
      if (typeof route === 'string') span.updateName(`${method} ${route}`).setAttribute('http.route', route);
      span.setAttribute('http.response.status_code', ctx.status);
      if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    }
  };
}

/** The caller's span (W3C Trace Context), if it names one. */
function parentOf(traceparent: string): TraceContext {
  const [, traceId = '', spanId = '', flags = ''] =
    /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:$|-)/.exec(traceparent) ?? [];
  const caller = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(caller) ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
}

/** A span of something that has just ended. */
function record(tracer: Tracer, name: string, seconds: number, attributes: Attributes): void {
  const endTime = Date.now();
  const startTime = endTime - seconds * 1_000;
  tracer.startSpan(name, { startTime, attributes, kind: SpanKind.INTERNAL }, ROOT_CONTEXT).end(endTime);
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds).unref());
}
