import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Operation } from '@servery/contract';
import { monotonicMs } from '@servery/support/clock.ts';
import { LRUCache } from 'lru-cache';
import type { Cache, Cached } from '../../freshness/cache.ts';
import { type Freshness, type Subject, stampOf } from '../../freshness/freshness.ts';
import type { Principal } from '../operation.ts';
import type { Exchange } from '../pipeline/pipeline.ts';
import { type Budget, type RateVerdict, takeRequest } from '../pipeline/rate-limit.ts';
import { isKnownTo, readHeaders, type WireNames, wantedForm, wireNames } from '../pipeline/send.ts';
import type { ReadyAnswer, ReadyBody, ReadyForm } from './ready-body.ts';
import { type FastDeps, type FastRequest, sendFast } from './send-fast.ts';

export interface ReadyPathDeps extends FastDeps {
  readonly freshness: Freshness;
  readonly answers: Cache<ReadyBody>;
  readonly requests: Cache<ReadyRequest>;
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

interface Found extends FastRequest {
  readonly ready: Cached<ReadyRequest>;
  /** Null if the body has to be made again. */
  readonly wanted: Wanted | null;
}

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
    const { rateCounter, rateLimits } = this.#deps;
    const { budget, exchange } = found.ready.value;
    const operation = exchange.operation?.id;
    const verdict = takeRequest(rateCounter, rateLimits, budget, found.realNowMs, operation);
    if (verdict instanceof Promise) {
      // Meanwhile the database may change or become unreachable.
      const judge = (later: RateVerdict) =>
        this.#judge(found, later, this.#isGood(found), otherwise);
      verdict.then(judge, otherwise);
    } else {
      this.#judge(found, verdict, true, otherwise);
    }
  }

  #find(raw: IncomingMessage, response: ServerResponse): Found | null {
    const key = this.#keyOf(raw);
    if (key === null) return null;
    const { requests, clock, realClock } = this.#deps;
    const ready = requests.find(key);
    if (!ready) return null;
    const nowMs = clock.nowMs();
    if (ready.value.caller.tokenExpiresAtMs <= nowMs) return null;
    const wanted = this.#wantedOf(raw, this.#deps.answers.find(ready.value.answerKey));
    if (!wanted && !ready.value.renew) return null;
    const realNowMs = realClock.nowMs();
    const startedMs = monotonicMs();
    return { raw, response, ready, wanted, nowMs, realNowMs, startedMs };
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

  #judge(found: Found, verdict: RateVerdict, isGood: boolean, otherwise: () => void): void {
    const { raw, ready } = found;
    const goOn = () => {
      this.#taken.set(raw, { ...verdict, ...ready.value.budget });
      otherwise();
    };
    if (!verdict.allowed || !isGood) {
      goOn();
      return;
    }
    if (found.wanted) {
      this.#answer(found, found.wanted, verdict);
      return;
    }
    // Like on the whole way, access is decided when the request arrives.
    this.#renewed(found).then((wanted) => this.#answer(found, wanted, verdict), goOn);
  }

  async #renewed({ raw, ready }: Found): Promise<Wanted> {
    const body = await ready.value.renew?.();
    if (!body) throw new Error('a body that cannot be renewed was asked for');
    const form = wantedForm(raw, body.value);
    const isKnown = isKnownTo(raw, form);
    return { body, form: isKnown ? form : await body.value.get(form.coding), isKnown };
  }

  #answer(found: Found, { form, isKnown }: Wanted, verdict: RateVerdict): void {
    const { exchange, caller, restaurantGuid, budget } = found.ready.value;
    const { operation, params } = exchange;
    sendFast(this.#deps, this.#names, found, {
      operation,
      params,
      caller,
      restaurantGuid,
      alike: found.ready.value,
      status: isKnown ? 304 : 200,
      rate: { ...verdict, ...budget },
      headers: this.#fixedHeaders(form, isKnown, operation),
      requestBytes: null,
      body: isKnown ? null : (form.text ?? form.bytes),
      answerBytes: isKnown ? null : form.plain,
    });
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
    const { authorization, [this.#names.restaurantExternalId]: restaurant } = headers;
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
