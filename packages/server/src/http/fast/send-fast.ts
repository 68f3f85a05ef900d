import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '@servery/contract';
import { type Clock, monotonicMs } from '@servery/support/clock.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { type FinishDeps, logFieldsOf, tellFinished } from '../pipeline/finish.ts';
import { isExplained } from '../pipeline/is-explained.ts';
import type { FinishedRequest } from '../pipeline/observe.ts';
import type { Budget, RateCounter, RateLimits, RateVerdict } from '../pipeline/rate-limit.ts';
import { commonHeaders, pairsOf, type WireNames } from '../pipeline/send.ts';

export interface FastDeps extends FinishDeps {
  readonly clock: Clock;
  readonly realClock: Clock;
  readonly rateLimits: RateLimits;
  readonly rateCounter: RateCounter;
  readonly addressOf: (raw: IncomingMessage) => string;
  readonly isClosing: () => boolean;
  readonly isSandbox: boolean;
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
  request: FastRequest,
  answer: FastAnswer,
): void {
  const { raw, response, startedMs } = request;
  const { operation, status, body, headers: own, rate } = answer;
  const requestId = newRandomId();
  const headers = [...commonHeaders(names, requestId, raw, rate), ...own];
  if (deps.isClosing()) headers.push('connection', 'close');
  response.writeHead(status, headers);
  response.end(body ?? undefined, 'latin1');
  const durationMs = Math.round((monotonicMs() - startedMs) * 100) / 100;
  deps.log.debug({ ...logFieldsOf({ requestId, operation, raw }), status, durationMs }, 'request');
  const sent = { requestId, headers, durationMs };
  tellFinished(deps, new FastFinish(deps, request, answer, sent));
}

interface Sent {
  readonly requestId: string;
  readonly headers: readonly string[];
  readonly durationMs: number;
}

/** A class: an object with a getter of its own, for each request, is slower to make. */
class FastFinish implements FinishedRequest {
  readonly requestId: string;
  readonly operation: FinishedRequest['operation'];
  readonly method: string;
  readonly url: string;
  readonly params: FinishedRequest['params'];
  readonly caller: FinishedRequest['caller'];
  readonly restaurantGuid: string | null;
  readonly alike: FinishedRequest['alike'];
  readonly atMs: number;
  readonly realAtMs: number;
  readonly durationMs: number;
  readonly status: number;
  readonly remoteAddress: string;
  readonly requestHeaders: FinishedRequest['requestHeaders'];
  readonly requestBytes: Buffer | null;
  readonly answerBytes: Buffer | null;
  readonly refusal = null;
  readonly fault = null;
  readonly #headers: readonly string[];
  readonly #rate: FastAnswer['rate'];
  readonly #deps: FastDeps;

  constructor(
    deps: FastDeps,
    { raw, nowMs, realNowMs }: FastRequest,
    answer: FastAnswer,
    sent: Sent,
  ) {
    this.requestId = sent.requestId;
    this.operation = answer.operation;
    this.method = raw.method ?? '';
    this.url = raw.url ?? '';
    this.params = answer.params;
    this.caller = answer.caller;
    this.restaurantGuid = answer.restaurantGuid;
    this.alike = answer.alike;
    this.atMs = nowMs;
    this.realAtMs = realNowMs;
    this.durationMs = sent.durationMs;
    this.status = answer.status;
    this.remoteAddress = deps.addressOf(raw);
    this.requestHeaders = raw.headers;
    this.requestBytes = answer.requestBytes;
    this.answerBytes = answer.answerBytes;
    this.#headers = sent.headers;
    this.#rate = answer.rate;
    this.#deps = deps;
  }

  get explained(): FinishedRequest['explained'] {
    const { requestHeaders: headers } = this;
    return isExplained(this.#deps, { headers }) ? { rate: this.#rate, notes: null } : null;
  }

  /** Rarely read. Without the length, which the framework adds on the whole way. */
  get answerHeaders(): Record<string, string> {
    const { 'content-length': _, ...told } = Object.fromEntries(pairsOf(this.#headers));
    return told;
  }
}
