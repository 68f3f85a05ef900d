import { hash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '@servery/contract';
import { monotonicMs } from '@servery/support/clock.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { LRUCache } from 'lru-cache';
import type { Answer } from '../operation.ts';
import { collectBytes } from '../pipeline/body.ts';
import { logFieldsOf, tellFinished } from '../pipeline/finish.ts';
import type { FinishedRequest } from '../pipeline/observe.ts';
import { addressBudget, type Exchange } from '../pipeline/pipeline.ts';
import { countOf, type RateVerdict, verdictOn, type WindowCounts } from '../pipeline/rate-limit.ts';
import { bytesOf, JSON_TYPE, pairsOf, wireNames } from '../pipeline/send.ts';
import { continueTrace } from '../pipeline/trace.ts';
import type { ReadyPathDeps } from './ready-path.ts';

export type RepeatPathDeps = Pick<
  ReadyPathDeps,
  | 'brand'
  | 'log'
  | 'observers'
  | 'clock'
  | 'realClock'
  | 'rateLimits'
  | 'rateCounter'
  | 'addressOf'
  | 'isClosing'
>;

export type HandedOver = Pick<Exchange, 'nowMs' | 'realNowMs' | 'requestBytes'> & {
  readonly rate: NonNullable<Exchange['rate']>;
  readonly startedMs: number;
};

interface Candidate {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly operation: Operation;
  readonly remoteAddress: string;
  readonly startedMs: number;
  readonly nowMs: number;
  readonly realNowMs: number;
  readonly otherwise: () => void;
}

interface Remembered {
  readonly repeat: NonNullable<Answer['repeat']>;
  prepared: Prepared | null;
}

interface Prepared {
  readonly answer: Answer;
  readonly plain: Buffer;
  readonly text: string;
  readonly headers: readonly string[];
}

export const REPEATED_BYTES_AT_MOST = 4_096;
export const REPEATS_AT_MOST = 2_000;
const SALT_BYTES = 32;

/**
 * Answers a POST whose exact bytes were answered before, without parsing: mainly logins, which
 * partners repeat before each call. Each time the handler decides whether the answer still holds.
 * Remembers only bodies that a handler allows, so that strangers cannot fill the memory, and only
 * as a salted digest, because they hold secrets.
 */
export class RepeatPath {
  readonly #deps: RepeatPathDeps;
  readonly #operations = new Map<string, Operation>();
  readonly #remembered = new LRUCache<string, Remembered>({ max: REPEATS_AT_MOST });
  readonly #salted = Buffer.concat([randomBytes(SALT_BYTES), Buffer.alloc(REPEATED_BYTES_AT_MOST)]);
  readonly #handedOver = new WeakMap<IncomingMessage, HandedOver>();

  constructor(deps: RepeatPathDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#remembered.size;
  }

  handedOver(raw: IncomingMessage): HandedOver | null {
    return this.#handedOver.get(raw) ?? null;
  }

  remember(exchange: Exchange, repeat: Remembered['repeat']): void {
    const { raw, url, operation, requestBytes } = exchange;
    // No query and no parameter may change the answer.
    if (!operation || url !== operation.path || !requestBytes || !isShortAndPlain(raw)) return;
    this.#operations.set(url, operation);
    this.#remembered.set(this.#keyOf(operation, requestBytes), { repeat, prepared: null });
  }

  /** Calls `otherwise` if the request has to go the whole way. */
  serve(raw: IncomingMessage, response: ServerResponse, otherwise: () => void): void {
    const operation = this.#operations.get(raw.url ?? '');
    if (!operation || raw.method !== operation.method || !isShortAndPlain(raw)) {
      otherwise();
      return;
    }
    const { clock, realClock, rateLimits, rateCounter } = this.#deps;
    const candidate = {
      ...{ raw, response, operation, otherwise },
      remoteAddress: this.#deps.addressOf(raw),
      startedMs: monotonicMs(),
      nowMs: clock.nowMs(),
      realNowMs: realClock.nowMs(),
    };
    const { key } = addressBudget(candidate.remoteAddress);
    const count = countOf(rateLimits, key, candidate.realNowMs);
    const judge = (counts: WindowCounts) =>
      this.#judge(candidate, verdictOn(rateLimits, count, counts, candidate.realNowMs));
    // Reads the body only if the budget allows it, like the whole way.
    const counts = rateCounter.count(count);
    if (counts instanceof Promise) counts.then(judge, otherwise);
    else judge(counts);
  }

  #judge(candidate: Candidate, verdict: RateVerdict): void {
    if (!verdict.allowed) {
      this.#handOver(candidate, verdict, null);
      return;
    }
    collectBytes(candidate.raw, REPEATED_BYTES_AT_MOST, (outcome) => {
      if (!Buffer.isBuffer(outcome)) {
        // The whole way handles destroyed requests.
        this.#handOver(candidate, verdict, null);
        return;
      }
      const known = this.#remembered.get(this.#keyOf(candidate.operation, outcome));
      const answer = known?.repeat(candidate.nowMs);
      if (known && answer) this.#answer(candidate, preparedOf(known, answer), outcome);
      else this.#handOver(candidate, verdict, outcome);
    });
  }

  #handOver(candidate: Candidate, verdict: RateVerdict, requestBytes: Buffer | null): void {
    const { raw, nowMs, realNowMs, startedMs, remoteAddress, otherwise } = candidate;
    const rate = { ...verdict, ...addressBudget(remoteAddress) };
    this.#handedOver.set(raw, { rate, nowMs, realNowMs, startedMs, requestBytes });
    otherwise();
  }

  #answer(candidate: Candidate, prepared: Prepared, requestBytes: Buffer): void {
    const { raw, response, operation, startedMs } = candidate;
    const requestId = newRandomId();
    const headers = this.#headersOf(raw, requestId, prepared);
    response.writeHead(200, headers);
    response.end(prepared.text, 'latin1');
    const durationMs = Math.round((monotonicMs() - startedMs) * 100) / 100;
    const { log } = this.#deps;
    log.debug(
      { ...logFieldsOf({ requestId, operation, raw }), status: 200, durationMs },
      'request',
    );
    const end = { requestId, requestBytes, answerBytes: prepared.plain, headers, durationMs };
    tellFinished(this.#deps, new RepeatFinish(candidate, end));
  }

  /** In the order of the whole way; no budget, like for every login. */
  #headersOf({ headers }: IncomingMessage, requestId: string, prepared: Prepared): string[] {
    const own = [wireNames(this.#deps.brand).requestId, requestId];
    own.push('x-content-type-options', 'nosniff');
    const { traceparent } = headers;
    const trace = traceparent === undefined ? null : continueTrace(String(traceparent));
    if (trace) own.push('traceparent', trace.traceparent);
    if (this.#deps.isClosing()) own.push('connection', 'close');
    return [...own, ...prepared.headers];
  }

  /** The key includes the path: the same bytes may mean something else elsewhere. */
  #keyOf({ path }: Operation, bytes: Buffer): string {
    const end = SALT_BYTES + bytes.copy(this.#salted, SALT_BYTES);
    const digest = hash('sha256', this.#salted.subarray(0, end), 'base64');
    this.#salted.fill(0, SALT_BYTES, end);
    return `${path} ${digest}`;
  }
}

function isShortAndPlain({ headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return (
    length > 0 &&
    length <= REPEATED_BYTES_AT_MOST &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined &&
    headers.expect === undefined
  );
}

function preparedOf(known: Remembered, answer: Answer): Prepared {
  if (known.prepared?.answer === answer) return known.prepared;
  const plain = bytesOf(answer);
  const headers = Object.entries(answer.headers ?? {}).flat();
  headers.push('content-type', JSON_TYPE, 'content-length', String(plain.length));
  known.prepared = { answer, plain, text: plain.toString('latin1'), headers };
  return known.prepared;
}

interface End {
  readonly requestId: string;
  readonly requestBytes: Buffer;
  readonly answerBytes: Buffer;
  readonly headers: readonly string[];
  readonly durationMs: number;
}

class RepeatFinish implements FinishedRequest {
  readonly requestId: string;
  readonly operation: Operation;
  readonly method: string;
  readonly url: string;
  readonly params = {};
  readonly atMs: number;
  readonly realAtMs: number;
  readonly durationMs: number;
  readonly status = 200;
  readonly caller = null;
  readonly restaurantGuid = null;
  readonly remoteAddress: string;
  readonly requestHeaders: IncomingHttpHeaders;
  readonly requestBytes: Buffer;
  readonly answerBytes: Buffer;
  readonly refusal = null;
  readonly alike = null;
  readonly #headers: readonly string[];

  constructor(candidate: Candidate, end: End) {
    const { raw, operation } = candidate;
    this.requestId = end.requestId;
    this.operation = operation;
    this.method = operation.method;
    this.url = operation.path;
    this.atMs = candidate.nowMs;
    this.realAtMs = candidate.realNowMs;
    this.durationMs = end.durationMs;
    this.remoteAddress = candidate.remoteAddress;
    this.requestHeaders = raw.headers;
    this.requestBytes = end.requestBytes;
    this.answerBytes = end.answerBytes;
    this.#headers = end.headers;
  }

  /** Without the length, which the framework adds on the whole way. */
  get answerHeaders(): Record<string, string> {
    return Object.fromEntries(pairsOf(this.#headers.slice(0, -2)));
  }
}
