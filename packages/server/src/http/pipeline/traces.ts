import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Clock } from '@servery/support/clock.ts';
import { within } from '@servery/support/timer.ts';
import type { Log } from '../../support/log.ts';
import type { FinishedRequest, RequestObserver } from './observe.ts';
import { parseTraceparent } from './trace.ts';

export interface TraceDeps {
  readonly url: string;
  readonly percent: number;
  readonly kind: 'sandbox' | 'production';
  readonly version: string;
  readonly realClock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

export interface Traces {
  readonly observer: RequestObserver;
  stop(): Promise<void>;
}

/** A silent collector must not delay anything; its spans are dropped. */
const SEND_LIMIT_MS = 5_000;
const STOP_LIMIT_MS = 5_000;
const MINUTE_MS = 60_000;
const PER_CENT = 100;

/**
 * Sends a span for each request. A request with a `traceparent` continues its trace under the id in
 * the answer's `traceparent`, if its flags say so. Loads the libraries only here, so a process
 * without traces does not pay for them.
 */
export async function openTraces(deps: TraceDeps): Promise<Traces> {
  const api = await import('@opentelemetry/api');
  const sdk = await import('@opentelemetry/sdk-trace-base');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const exporter = new OTLPTraceExporter({ url: deps.url, timeoutMillis: SEND_LIMIT_MS });
  const ids = new sdk.RandomIdGenerator();
  let ownSpanId: string | null = null;
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'servery',
      'service.version': deps.version,
      'deployment.environment.name': deps.kind,
    }),
    sampler: new sdk.ParentBasedSampler({
      root: new sdk.TraceIdRatioBasedSampler(deps.percent / PER_CENT),
    }),
    idGenerator: {
      generateTraceId: () => ids.generateTraceId(),
      generateSpanId: () => ownSpanId ?? ids.generateSpanId(),
    },
    spanProcessors: [
      new sdk.BatchSpanProcessor(tellingFailures(exporter as unknown as SpanExporter, deps)),
    ],
  });
  const tracer = provider.getTracer('servery', deps.version);
  const finished = (request: FinishedRequest) => {
    // Balancers poll health all day.
    if (request.operation?.id.startsWith('health.')) return;
    const caller = parseTraceparent(request.requestHeaders.traceparent);
    const parent = caller
      ? api.trace.setSpanContext(api.ROOT_CONTEXT, { ...caller, isRemote: true })
      : api.ROOT_CONTEXT;
    // The answer has already told this id.
    ownSpanId = parseTraceparent(request.answerHeaders.traceparent)?.spanId ?? null;
    const span = tracer.startSpan(
      request.operation?.id ?? request.method,
      {
        kind: api.SpanKind.SERVER,
        startTime: request.realAtMs,
        attributes: attributesOf(request),
      },
      parent,
    );
    ownSpanId = null;
    if (request.status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
    span.end(request.realAtMs + request.durationMs);
  };
  return {
    observer: { finished },
    stop: async () => {
      await within(
        provider.shutdown().catch(() => {}),
        STOP_LIMIT_MS,
      );
    },
  };
}

/** Only the restaurant's GUID comes from the client: a URL may hold secrets. */
function attributesOf({ operation, refusal, ...request }: FinishedRequest) {
  return {
    'http.request.method': request.method,
    'http.response.status_code': request.status,
    'servery.request_id': request.requestId,
    ...(operation && { 'http.route': operation.path, 'servery.operation': operation.id }),
    ...(request.restaurantGuid && { 'servery.restaurant': request.restaurantGuid }),
    ...(request.caller && { 'servery.caller_type': request.caller.type }),
    ...(refusal && { 'servery.check': refusal.check, 'error.type': refusal.errorClass }),
  };
}

/** The library does not report an unreachable collector; this does, once a minute. */
function tellingFailures(
  exporter: SpanExporter,
  { log, realClock }: Pick<TraceDeps, 'log' | 'realClock'>,
): SpanExporter {
  let quietUntilMs = 0;
  return {
    export: (spans: ReadableSpan[], done) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0 && realClock.nowMs() >= quietUntilMs) {
          quietUntilMs = realClock.nowMs() + MINUTE_MS;
          const reason = result.error?.message ?? 'no reason was given';
          log.warn({ spans: spans.length, reason }, 'traces cannot be sent');
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
