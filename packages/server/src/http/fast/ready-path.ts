import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Operation } from '@servery/contract';
import { type Clock, monotonicMs } from '@servery/support/clock.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { LRUCache } from 'lru-cache';
import type { Cache, Cached } from '../../freshness/cache.ts';
import { type Freshness, type Subject, stampOf } from '../../freshness/freshness.ts';
import type { Principal } from '../operation.ts';
import { type FinishDeps, logFieldsOf, tellFinished } from '../pipeline/finish.ts';
import type { FinishedRequest } from '../pipeline/observe.ts';
import type { Budget, Exchange } from '../pipeline/pipeline.ts';
import {
  type Count,
  countOf,
  type RateCounter,
  type RateLimits,
  type RateVerdict,
  verdictOn,
  type WindowCounts,
} from '../pipeline/rate-limit.ts';
import {
  isKnownTo,
  pairsOf,
  readHeaders,
  type WireNames,
  wantedForm,
  wireNames,
} from '../pipeline/send.ts';
import { continueTrace } from '../pipeline/trace.ts';
import type { ReadyAnswer, ReadyBody, ReadyForm } from './ready-body.ts';

export interface ReadyPathDeps extends FinishDeps {
  readonly clock: Clock;
  readonly realClock: Clock;
  readonly rateLimits: RateLimits;
  readonly rateCounter: RateCounter;
  readonly freshness: Freshness;
  readonly answers: Cache<ReadyBody>;
  readonly requests: Cache<ReadyRequest>;
  readonly addressOf: (raw: IncomingMessage) => string;
  readonly isClosing: () => boolean;
}

export interface ReadyRequest {
  readonly exchange: Pick<Exchange, 'url' | 'params' | 'operation'>;
  readonly restaurantGuid: string;
  readonly caller: Principal;
  readonly budget: Budget;
  readonly answerKey: string;
  /** Null if more than the body may have changed. */
  readonly renew: ReadyAnswer['renew'];
}

interface Wanted {
  readonly body: Cached<ReadyBody>;
  readonly form: ReadyForm;
  readonly isKnown: boolean;
}

interface Found {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly ready: Cached<ReadyRequest>;
  /** Null if the body has to be made again. */
  readonly wanted: Wanted | null;
  readonly nowMs: number;
  readonly realNowMs: number;
  readonly startedMs: number;
  readonly count: Count;
}

type Answerable = Found & { readonly wanted: Wanted };

const CALLERS_AT_MOST = 5_000;

const REQUEST_BYTES = 1_000;

export function requestBytes({ exchange, answerKey }: ReadyRequest): number {
  return REQUEST_BYTES + 2 * (exchange.url.length + answerKey.length);
}

/**
 * Answers requests that were answered before, without the framework and the pipeline. Checks only
 * what can change between equal reads: the database, the token's life, and the budget. If anything
 * is uncertain, the request goes the whole way.
 */
export class ReadyPath {
  readonly #deps: ReadyPathDeps;
  readonly #names: WireNames;
  readonly #restaurantHeader: string;
  readonly #fixed = {
    whole: new WeakMap<ReadyForm, readonly string[]>(),
    unchanged: new WeakMap<ReadyForm, readonly string[]>(),
  };
  readonly #callers = new LRUCache<string, number>({ max: CALLERS_AT_MOST });
  readonly #callersOnSockets = new WeakMap<Socket, { authorization: string; number: number }>();
  #newestCaller = 0;
  /** Counted here, but went the whole way after all. */
  readonly #taken = new WeakMap<IncomingMessage, Exchange['rate']>();

  constructor(deps: ReadyPathDeps) {
    this.#deps = deps;
    this.#names = wireNames(deps.brand);
    this.#restaurantHeader = this.#names.restaurant.toLowerCase();
  }

  begin(): number {
    return this.#deps.freshness.begin();
  }

  takenFrom(raw: IncomingMessage): Exchange['rate'] {
    return this.#taken.get(raw) ?? null;
  }

  remember(exchange: Exchange, answer: ReadyAnswer, moment: number): void {
    const { raw, caller, rate, restaurant } = exchange;
    if (!rate || !restaurant || !caller || caller.type === 'PERSON') return;
    this.#admit(raw.headers.authorization);
    const key = this.#keyOf(raw);
    if (key === null) return;
    const { url, params, operation } = exchange;
    const subjects: Subject[] = [`client:${caller.clientId}`, `restaurant:${restaurant.guid}`];
    const value: ReadyRequest = {
      exchange: { url, params, operation },
      restaurantGuid: restaurant.guid,
      caller,
      budget: { key: rate.key, by: rate.by },
      answerKey: answer.key,
      renew: answer.renew,
    };
    // Subjects may have been read before the body was, so nothing of them may have changed since
    // the request came.
    const lookedAt = answer.renew ? [] : answer.stamp.buckets;
    const buckets = [...stampOf(moment, subjects).buckets, ...lookedAt];
    this.#deps.requests.put(key, { value, stamp: { moment, buckets } });
  }

  /** Calls `otherwise` if the request has to go the whole way. */
  serve(raw: IncomingMessage, response: ServerResponse, otherwise: () => void): void {
    const found = this.#find(raw, response);
    if (!found) {
      otherwise();
      return;
    }
    const counts = this.#deps.rateCounter.count(found.count);
    if (counts instanceof Promise) {
      // Meanwhile the database may change or become unreachable.
      const judge = (later: WindowCounts) =>
        this.#judge(found, later, this.#isGood(found), otherwise);
      counts.then(judge, otherwise);
    } else {
      this.#judge(found, counts, true, otherwise);
    }
  }

  #find(raw: IncomingMessage, response: ServerResponse): Found | null {
    const key = this.#keyOf(raw);
    if (key === null) return null;
    const { requests, clock, realClock, rateLimits } = this.#deps;
    const ready = requests.find(key);
    if (!ready) return null;
    const nowMs = clock.nowMs();
    if (ready.value.caller.tokenExpiresAtMs <= nowMs) return null;
    const wanted = this.#wantedOf(raw, this.#deps.answers.find(ready.value.answerKey));
    if (!wanted && !ready.value.renew) return null;
    const realNowMs = realClock.nowMs();
    const count = countOf(rateLimits, ready.value.budget.key, realNowMs);
    const startedMs = monotonicMs();
    return { raw, response, ready, wanted, nowMs, realNowMs, startedMs, count };
  }

  #wantedOf(raw: IncomingMessage, body: Cached<ReadyBody> | null): Wanted | null {
    if (!body) return null;
    const form = wantedForm(raw, body.value);
    const isKnown = isKnownTo(raw, form);
    return isKnown || form.bytes !== null ? { body, form, isKnown } : null;
  }

  #isGood({ ready, wanted }: Found): boolean {
    const { requests, answers } = this.#deps;
    return requests.isGood(ready.stamp) && (!wanted || answers.isGood(wanted.body.stamp));
  }

  #judge(found: Found, counts: WindowCounts, isGood: boolean, otherwise: () => void): void {
    const { raw, ready, count, realNowMs } = found;
    const verdict = verdictOn(this.#deps.rateLimits, count, counts, realNowMs);
    const goOn = () => {
      this.#taken.set(raw, { ...verdict, ...ready.value.budget });
      otherwise();
    };
    if (!verdict.allowed || !isGood) {
      goOn();
      return;
    }
    if (found.wanted) {
      this.#answer({ ...found, wanted: found.wanted }, verdict);
      return;
    }
    // Like on the whole way, access is decided when the request arrives.
    this.#renewed(found).then((wanted) => this.#answer({ ...found, wanted }, verdict), goOn);
  }

  async #renewed({ raw, ready }: Found): Promise<Wanted> {
    const body = await ready.value.renew?.();
    if (!body) throw new Error('a body that cannot be renewed was asked for');
    const form = wantedForm(raw, body.value);
    const isKnown = isKnownTo(raw, form);
    return { body, form: isKnown ? form : await body.value.get(form.coding), isKnown };
  }

  #answer(found: Answerable, verdict: RateVerdict): void {
    const { raw, response, startedMs } = found;
    const { form, isKnown } = found.wanted;
    const requestId = newRandomId();
    const status = isKnown ? 304 : 200;
    const fixed = this.#fixedHeaders(form, isKnown, found.ready.value.exchange.operation);
    const headers = [...this.#ownHeaders(found, requestId, verdict), ...fixed];
    const last = this.#deps.isClosing() ? ['connection', 'close'] : [];
    response.writeHead(status, [...headers, ...last]);
    if (isKnown) response.end();
    else if (form.text) response.end(form.text, 'latin1');
    else response.end(form.bytes);
    const durationMs = Math.round((monotonicMs() - startedMs) * 100) / 100;
    const finished = new ReadyFinish(found, this.#deps.addressOf(raw), {
      ...{ requestId, status, headers, durationMs },
    });
    const { log } = this.#deps;
    const { operation } = finished;
    log.debug({ ...logFieldsOf({ requestId, operation, raw }), status, durationMs }, 'request');
    tellFinished(this.#deps, finished);
  }

  #ownHeaders(
    { raw, ready }: Answerable,
    requestId: string,
    { remaining, resetSeconds }: RateVerdict,
  ): string[] {
    const names = this.#names;
    const headers = [names.requestId, requestId, 'x-content-type-options', 'nosniff'];
    const { traceparent } = raw.headers;
    const trace = traceparent === undefined ? null : continueTrace(String(traceparent));
    if (trace) headers.push('traceparent', trace.traceparent);
    headers.push(names.rateLimitBy, ready.value.budget.by);
    headers.push(names.rateLimitRemaining, String(remaining));
    headers.push(names.rateLimitReset, String(resetSeconds));
    return headers;
  }

  #fixedHeaders(form: ReadyForm, isKnown: boolean, operation: Operation | null) {
    const remembered = this.#fixed[isKnown ? 'unchanged' : 'whole'];
    const known = remembered.get(form);
    if (known) return known;
    const headers = readHeaders(this.#deps.brand, operation, form, isKnown);
    if (!isKnown) headers.push('content-length', String(form.bytes?.length ?? 0));
    remembered.set(form, headers);
    return headers;
  }

  #keyOf({ method, url, headers, socket }: IncomingMessage): string | null {
    if (method !== 'GET') return null;
    const { authorization, [this.#restaurantHeader]: restaurant } = headers;
    if (authorization === undefined || typeof restaurant !== 'string') return null;
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) {
      return null;
    }
    const caller = this.#callerOf(socket, authorization);
    return caller === null ? null : `${caller} ${restaurant} ${url}`;
  }

  /** Never gives a number twice. */
  #admit(authorization: string | undefined): void {
    if (authorization === undefined || this.#callers.has(authorization)) return;
    this.#newestCaller += 1;
    this.#callers.set(authorization, this.#newestCaller);
  }

  /**
   * Null for a header that let nobody in, so that callers without a token cannot fill the memory.
   * Comparing with the connection's last header is faster than a lookup.
   */
  #callerOf(socket: Socket, authorization: string): number | null {
    const before = this.#callersOnSockets.get(socket);
    if (before?.authorization === authorization) return before.number;
    const number = this.#callers.get(authorization);
    if (number === undefined) return null;
    this.#callersOnSockets.set(socket, { authorization, number });
    return number;
  }
}

/** Computes rarely used facts only when asked. */
class ReadyFinish implements FinishedRequest {
  readonly requestId: string;
  readonly operation: Operation | null;
  readonly method: string;
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly atMs: number;
  readonly realAtMs: number;
  readonly durationMs: number;
  readonly status: number;
  readonly caller: Principal;
  readonly restaurantGuid: string;
  readonly remoteAddress: string;
  readonly requestHeaders: IncomingHttpHeaders;
  readonly requestBytes = null;
  readonly answerBytes: Buffer | null;
  readonly refusal = null;
  readonly alike: object;
  readonly #headers: readonly string[];

  constructor({ raw, ready, wanted, nowMs, realNowMs }: Answerable, address: string, end: End) {
    const { form, isKnown } = wanted;
    const { exchange, caller, restaurantGuid } = ready.value;
    this.requestId = end.requestId;
    this.operation = exchange.operation;
    this.alike = ready.value;
    this.method = raw.method ?? '';
    this.url = exchange.url;
    this.params = exchange.params;
    this.atMs = nowMs;
    this.realAtMs = realNowMs;
    this.durationMs = end.durationMs;
    this.status = end.status;
    this.caller = caller;
    this.restaurantGuid = restaurantGuid;
    this.remoteAddress = address;
    this.requestHeaders = raw.headers;
    this.answerBytes = isKnown ? null : form.plain;
    this.#headers = end.headers;
  }

  get answerHeaders(): Record<string, string> {
    return Object.fromEntries(pairsOf(this.#headers));
  }
}

interface End {
  readonly requestId: string;
  readonly status: number;
  readonly headers: readonly string[];
  readonly durationMs: number;
}
