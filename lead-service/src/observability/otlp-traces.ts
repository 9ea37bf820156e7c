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
import { attemptEvents } from '../delivery/attempt-delivery.ts';
import type { Log } from '../platform/log.ts';
import { commitEvents } from '../lead-store/lead-store.ts';
import { requestEvents, type AnsweredRequest } from './identify-requests.ts';

/** Timeout of the collector in milliseconds, also at a stop. */
const exportTimeout = 3_000;
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Exports spans of requests, commits and deliveries, without personal data. Disposal exports the pending ones.
 *
 * @param url receives spans by POST, as OTLP in JSON
 */
export function startTraces(url: string, log: Log): AsyncDisposable {
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
  const subscriptions = new DisposableStack();
  subscriptions.use(requestEvents.subscribe(log, (request) => recordRequest(tracer, request)));
  subscriptions.use(
    commitEvents.subscribe(log, ({ place, leads, seconds }) =>
      record(tracer, 'commit leads', seconds, { 'leads.place': place, 'leads.count': leads }),
    ),
  );
  subscriptions.use(
    attemptEvents.subscribe(log, ({ kind, outcome, seconds }) =>
      record(tracer, `deliver ${kind}`, seconds, { 'delivery.kind': kind, 'delivery.outcome': outcome }),
    ),
  );
  return {
    async [Symbol.asyncDispose]() {
      subscriptions.dispose();
      // Ignores an unavailable collector, because only spans are lost.
      await Promise.race([provider.shutdown().catch(() => undefined), after(exportTimeout)]);
    },
  };
}

function recordRequest(tracer: Tracer, request: AnsweredRequest): void {
  const { id, route, status, seconds } = request;
  const method = knownMethods.has(request.method) ? request.method : '_OTHER';
  const attributes = {
    'http.request.method': method,
    'lead_service.request_id': id,
    'http.route': route,
    'http.response.status_code': status,
  };
  record(tracer, route === undefined ? method : `${method} ${route}`, seconds, attributes, {
    kind: SpanKind.SERVER,
    parent: parentOf(request.traceparent),
    failed: status >= 500,
  });
}

/** The caller's span (W3C Trace Context), if it names one. */
function parentOf(traceparent: string): TraceContext {
  const [, traceId = '', spanId = '', flags = ''] =
    /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:$|-)/.exec(traceparent) ?? [];
  const caller = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(caller) ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
}

function record(
  tracer: Tracer,
  name: string,
  seconds: number,
  attributes: Attributes,
  { kind = SpanKind.INTERNAL, parent = ROOT_CONTEXT, failed = false } = {},
): void {
  const endTime = Date.now();
  const span = tracer.startSpan(name, { startTime: endTime - seconds * 1_000, attributes, kind }, parent);
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(endTime);
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds).unref());
}
