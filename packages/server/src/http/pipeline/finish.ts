import { errorClasses } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { reachOf } from '../../reach/reach.ts';
import type { Log } from '../../support/log.ts';
import type { ApiError } from '../errors.ts';
import { grantsOf } from '../operation.ts';
import { namedRestaurant } from './admit.ts';
import type { FinishedRequest, Refusal, RequestObserver } from './observe.ts';
import { faultsText } from './ordered-faults.ts';
import type { Exchange } from './pipeline.ts';
import type { WireAnswer } from './send.ts';
import { parseTraceparent } from './trace.ts';

export interface FinishDeps {
  readonly brand: string;
  readonly log: Log;
  readonly observers: readonly RequestObserver[];
}

export function logFieldsOf({
  requestId,
  operation,
  raw,
  kept,
}: Pick<Exchange, 'requestId' | 'operation' | 'raw'> & Partial<Pick<Exchange, 'kept'>>) {
  const { traceparent } = kept === 'nothing' ? {} : raw.headers;
  const traceId = parseTraceparent(traceparent)?.traceId;
  return { requestId, operation: operation?.id, traceId };
}

export interface Finish {
  readonly exchange: Exchange;
  readonly wire: WireAnswer;
  readonly error: ApiError | null;
  readonly durationMs: number;
}

/** A failing observer harms neither the request nor the other observers. */
export function tellFinished(
  { log, observers }: Pick<FinishDeps, 'log' | 'observers'>,
  finished: FinishedRequest,
): void {
  try {
    for (const observer of observers) observer.finished(finished);
  } catch (error) {
    log.error({ err: error, requestId: finished.requestId }, 'an observer failed');
  }
}

export function finishedRequest(
  brand: string,
  { exchange, wire, error, durationMs }: Finish,
): FinishedRequest {
  const { raw, operation } = exchange;
  const named = operation && namedRestaurant(brand, { ...exchange, operation });
  if (exchange.notes) exchange.notes.refusal = error?.notes ?? null;
  const finished: FinishedRequest = {
    requestId: exchange.requestId,
    operation,
    method: raw.method ?? '',
    url: exchange.url,
    params: exchange.params,
    atMs: exchange.nowMs,
    realAtMs: exchange.realNowMs,
    durationMs,
    status: wire.status,
    caller: exchange.caller,
    restaurantGuid: named ? parseGuid(named) : null,
    remoteAddress: exchange.remoteAddress,
    requestHeaders: raw.headers,
    requestBytes: exchange.requestBytes,
    answerHeaders: wire.headers,
    answerBytes: wire.plain,
    refusal: error && refusalOf(exchange, error),
    fault: faultsText(exchange.fault),
    alike: null,
    explained: exchange.notes && { rate: exchange.rate, notes: exchange.notes },
  };
  switch (exchange.kept) {
    case 'all':
      return finished;
    case 'head':
      return withoutBody(finished, 'the card of the payment was not read');
    case 'nothing':
      return withoutHead(withoutBody(finished));
  }
}

function withoutBody(finished: FinishedRequest, reason?: string): FinishedRequest {
  const { requestBytes } = finished;
  return {
    ...finished,
    requestBytes: requestBytes && { length: requestBytes.length, ...(reason && { reason }) },
  };
}

/** An answer may repeat the trace and the path. */
function withoutHead(finished: FinishedRequest): FinishedRequest {
  const { params, answerBytes } = finished;
  const { traceparent: _, ...answerHeaders } = finished.answerHeaders;
  return {
    ...finished,
    url: '/',
    params: Object.fromEntries(Object.keys(params).map((name) => [name, WITHHELD])),
    requestHeaders: {},
    answerHeaders,
    answerBytes: answerBytes && { length: answerBytes.length },
  };
}

const WITHHELD = '[withheld]';

/** The status tells which of the three steps failed. */
const bodyChecks = { 413: 'size', 415: 'contentType' } as const;

function refusalOf({ check, caller, operation }: Exchange, error: ApiError): Refusal {
  const { errorClass, message, faults } = error;
  const { status } = errorClasses[errorClass];
  const scope = operation?.scope ?? null;
  return {
    check: check === 'body' ? (bodyChecks[status as keyof typeof bodyChecks] ?? 'body') : check,
    errorClass,
    message,
    faults,
    scope,
    reach: caller && scope && reachOf(grantsOf(caller), scope),
  };
}
