import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Clock } from '@servery/support/clock.ts';
import { within } from '@servery/support/timer.ts';
import type { Log } from '../../support/log.ts';
import type { FinishedRequest, RequestObserver } from './observe.ts';
import { parseTraceparent } from './trace.ts';

/** What sending traces leans on. */
export interface TraceDeps {
  /** Where traces go: OTLP over http, such as `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string;
  /** Of how many requests in a hundred a trace is sent that nobody else decided about. */
  readonly percent: number;
  readonly kind: 'sandbox' | 'production';
  readonly version: string;
  readonly realClock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

/** The traces of a process. */
export interface Traces {
  readonly observer: RequestObserver;
  /** Sends what waits, for a few seconds at most. */
  stop(): Promise<void>;
}

/** A collector that does not answer holds up nothing; what it was to get is dropped. */
const SEND_LIMIT_MS = 5_000;
const STOP_LIMIT_MS = 5_000;
const MINUTE_MS = 60_000;
const PER_CENT = 100;

/**
 * Opens what sends a span for each request to a collector. A request that came with a W3C
 * `traceparent` goes on in its trace, as the child of whoever called, under the id that the
 * `traceparent` of the answer names, and is sent when the caller's flags say so. The libraries are
 * loaded here and nowhere else, so that a process without traces does not pay for them.
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
    // Balancers ask all day long whether the process lives.
    if (request.operation?.id.startsWith('health.')) return;
    const caller = parseTraceparent(request.requestHeaders.traceparent);
    const parent = caller
      ? api.trace.setSpanContext(api.ROOT_CONTEXT, { ...caller, isRemote: true })
      : api.ROOT_CONTEXT;
    // The answer has told this id already.
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

/** Nothing that a client wrote but the GUID of a restaurant: a URL may hold what must not leave. */
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

/** The library is silent about a collector that is away: that is told once a minute. */
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
