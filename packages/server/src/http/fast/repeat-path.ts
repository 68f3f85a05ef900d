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

/** What the repeat path leans on. */
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

/** What is known of a request that goes the whole way after all. */
export type HandedOver = Pick<Exchange, 'nowMs' | 'realNowMs' | 'requestBytes'> & {
  readonly rate: NonNullable<Exchange['rate']>;
  /** When it came, in milliseconds of `monotonicMs`. */
  readonly startedMs: number;
};

/** A request that may be one of those that were answered before. */
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

/** A request that was answered, by the digest of its body. */
interface Remembered {
  readonly repeat: NonNullable<Answer['repeat']>;
  /** The answer that it had last, as it goes on the wire. */
  prepared: Prepared | null;
}

/** An answer as bytes, with the headers that do not change from request to request. */
interface Prepared {
  readonly answer: Answer;
  readonly plain: Buffer;
  /** The same as text of one byte a character: it travels with its headers in one write. */
  readonly text: string;
  /** Names and values in turn; the last is the length. */
  readonly headers: readonly string[];
}

/** Longer bodies are not looked at here, in bytes. */
export const REPEATED_BYTES_AT_MOST = 4_096;
/** So many bodies are remembered at a time; each takes about three times its answer. */
export const REPEATS_AT_MOST = 2_000;
const SALT_BYTES = 32;

/**
 * Answers a POST whose very bytes were answered before, without the framework, the pipeline and
 * the parsing of its body: logins above all, which partners repeat before each call. What the bytes
 * mean is known; whether they are still answered so is asked of the handler each time. Only bodies
 * of which a handler says that they may be repeated are remembered, so that nobody who is not let
 * in fills the memory, and only by a digest under a salt of this process, since they hold secrets.
 */
export class RepeatPath {
  readonly #deps: RepeatPathDeps;
  /** The operations of remembered requests, by their paths. */
  readonly #operations = new Map<string, Operation>();
  readonly #remembered = new LRUCache<string, Remembered>({ max: REPEATS_AT_MOST });
  /** The salt, and behind it room for a body while its digest is taken. */
  readonly #salted = Buffer.concat([randomBytes(SALT_BYTES), Buffer.alloc(REPEATED_BYTES_AT_MOST)]);
  readonly #handedOver = new WeakMap<IncomingMessage, HandedOver>();

  constructor(deps: RepeatPathDeps) {
    this.#deps = deps;
  }

  /** How many bodies are remembered. */
  get size(): number {
    return this.#remembered.size;
  }

  /** What was found out of a request before it was sent the whole way; null for nothing. */
  handedOver(raw: IncomingMessage): HandedOver | null {
    return this.#handedOver.get(raw) ?? null;
  }

  /** Remembers a request that was let in and may be answered again by `repeat`. */
  remember(exchange: Exchange, repeat: Remembered['repeat']): void {
    const { raw, url, operation, requestBytes } = exchange;
    // The path as the contract has it says all: no query and no parameter changes the answer.
    if (!operation || url !== operation.path || !requestBytes || !isShortAndPlain(raw)) return;
    this.#operations.set(url, operation);
    this.#remembered.set(this.#keyOf(operation, requestBytes), { repeat, prepared: null });
  }

  /** Answers the request, or calls `otherwise`: then it has to go the whole way. */
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
    // As on the whole way the body is read only when the budget allows it.
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
        // Whoever hung up is told of on the whole way, which finds the request destroyed.
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

  /** Names and values in turn, in the order of the whole way; no budget, as for every login. */
  #headersOf({ headers }: IncomingMessage, requestId: string, prepared: Prepared): string[] {
    const own = [wireNames(this.#deps.brand).requestId, requestId];
    own.push('x-content-type-options', 'nosniff');
    const { traceparent } = headers;
    const trace = traceparent === undefined ? null : continueTrace(String(traceparent));
    if (trace) own.push('traceparent', trace.traceparent);
    if (this.#deps.isClosing()) own.push('connection', 'close');
    return [...own, ...prepared.headers];
  }

  /** The path stands in it too: the same bytes may mean something else elsewhere. */
  #keyOf({ path }: Operation, bytes: Buffer): string {
    const end = SALT_BYTES + bytes.copy(this.#salted, SALT_BYTES);
    const digest = hash('sha256', this.#salted.subarray(0, end), 'base64');
    this.#salted.fill(0, SALT_BYTES, end);
    return `${path} ${digest}`;
  }
}

/** Whether a request has a short body that comes by itself: not coded, in chunks or held back. */
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

/** The same answer is prepared once. */
function preparedOf(known: Remembered, answer: Answer): Prepared {
  if (known.prepared?.answer === answer) return known.prepared;
  const plain = bytesOf(answer);
  const headers = Object.entries(answer.headers ?? {}).flat();
  headers.push('content-type', JSON_TYPE, 'content-length', String(plain.length));
  known.prepared = { answer, plain, text: plain.toString('latin1'), headers };
  return known.prepared;
}

/** What a request ended with. */
interface End {
  readonly requestId: string;
  readonly requestBytes: Buffer;
  readonly answerBytes: Buffer;
  /** Names and values in turn; the last is the length. */
  readonly headers: readonly string[];
  readonly durationMs: number;
}

/** What came of a request, for observers; what few of them ask for is worked out when they do. */
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

  /** Without the length, as on the whole way, where the framework adds it. */
  get answerHeaders(): Record<string, string> {
    return Object.fromEntries(pairsOf(this.#headers.slice(0, -2)));
  }
}
