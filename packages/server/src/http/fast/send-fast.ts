import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '@servery/contract';
import { type Clock, monotonicMs } from '@servery/support/clock.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { type FinishDeps, logFieldsOf, tellFinished } from '../pipeline/finish.ts';
import type { FinishedRequest } from '../pipeline/observe.ts';
import type { Budget } from '../pipeline/pipeline.ts';
import type { RateCounter, RateLimits, RateVerdict } from '../pipeline/rate-limit.ts';
import { commonHeaders, pairsOf, type WireNames } from '../pipeline/send.ts';

export interface FastDeps extends FinishDeps {
  readonly clock: Clock;
  readonly realClock: Clock;
  readonly rateLimits: RateLimits;
  readonly rateCounter: RateCounter;
  readonly addressOf: (raw: IncomingMessage) => string;
  readonly isClosing: () => boolean;
}

export interface FastRequest {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly nowMs: number;
  readonly realNowMs: number;
  readonly startedMs: number;
}

export interface FastAnswer
  extends Pick<FinishedRequest, 'params' | 'caller' | 'restaurantGuid' | 'alike'> {
  readonly operation: Operation | null;
  readonly status: number;
  readonly rate: (RateVerdict & Budget) | null;
  readonly headers: readonly string[];
  readonly requestBytes: Buffer | null;
  /** As `latin1`: a text is sent together with its headers. */
  readonly body: string | Buffer | null;
  readonly answerBytes: Buffer | null;
}

export function sendFast(
  deps: FastDeps,
  names: WireNames,
  { raw, response, nowMs, realNowMs, startedMs }: FastRequest,
  answer: FastAnswer,
): void {
  const { operation, status, body, headers: own, rate, ...facts } = answer;
  const requestId = newRandomId();
  const headers = [...commonHeaders(names, requestId, raw, rate), ...own];
  if (deps.isClosing()) headers.push('connection', 'close');
  response.writeHead(status, headers);
  response.end(body ?? undefined, 'latin1');
  const durationMs = Math.round((monotonicMs() - startedMs) * 100) / 100;
  deps.log.debug({ ...logFieldsOf({ requestId, operation, raw }), status, durationMs }, 'request');
  tellFinished(deps, {
    ...facts,
    requestId,
    operation,
    method: raw.method ?? '',
    url: raw.url ?? '',
    atMs: nowMs,
    realAtMs: realNowMs,
    durationMs,
    status,
    remoteAddress: deps.addressOf(raw),
    requestHeaders: raw.headers,
    refusal: null,
    /** Rarely read. Without the length, which the framework adds on the whole way. */
    get answerHeaders() {
      const { 'content-length': _, ...told } = Object.fromEntries(pairsOf(headers));
      return told;
    },
  });
}
