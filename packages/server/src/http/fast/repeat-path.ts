import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '@servery/contract';
import { monotonicMs } from '@servery/support/clock.ts';
import { LRUCache } from 'lru-cache';
import type { Answer } from '../operation.ts';
import { collectBytes } from '../pipeline/body.ts';
import { addressBudget, type Exchange } from '../pipeline/pipeline.ts';
import { type RateVerdict, takeRequest } from '../pipeline/rate-limit.ts';
import { bytesOf, JSON_TYPE, type WireNames, wireNames } from '../pipeline/send.ts';
import { type FastDeps, type FastRequest, sendFast } from './send-fast.ts';

export type HandedOver = Pick<Exchange, 'nowMs' | 'realNowMs' | 'requestBytes'> & {
  readonly rate: NonNullable<Exchange['rate']>;
  readonly startedMs: number;
};

interface Candidate extends FastRequest {
  readonly operation: Operation;
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
  readonly #deps: FastDeps;
  readonly #names: WireNames;
  readonly #operations = new Map<string, Operation>();
  readonly #remembered = new LRUCache<string, Remembered>({ max: REPEATS_AT_MOST });
  readonly #salted = Buffer.concat([randomBytes(SALT_BYTES), Buffer.alloc(REPEATED_BYTES_AT_MOST)]);
  readonly #handedOver = new WeakMap<IncomingMessage, HandedOver>();

  constructor(deps: FastDeps) {
    this.#deps = deps;
    this.#names = wireNames(deps.brand);
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
      startedMs: monotonicMs(),
      nowMs: clock.nowMs(),
      realNowMs: realClock.nowMs(),
    };
    const budget = addressBudget(this.#deps.addressOf(raw));
    const verdict = takeRequest(rateCounter, rateLimits, budget, candidate.realNowMs);
    const judge = (rate: RateVerdict) => this.#judge(candidate, { ...rate, ...budget });
    // Reads the body only if the budget allows it, like the whole way.
    if (verdict instanceof Promise) verdict.then(judge, otherwise);
    else judge(verdict);
  }

  #judge(candidate: Candidate, rate: HandedOver['rate']): void {
    if (!rate.allowed) {
      this.#handOver(candidate, rate, null);
      return;
    }
    collectBytes(candidate.raw, REPEATED_BYTES_AT_MOST, (outcome) => {
      if (!Buffer.isBuffer(outcome)) {
        // The whole way handles destroyed requests.
        this.#handOver(candidate, rate, null);
        return;
      }
      const known = this.#remembered.get(this.#keyOf(candidate.operation, outcome));
      const answer = known?.repeat(candidate.nowMs);
      if (known && answer) this.#answer(candidate, preparedOf(known, answer), outcome);
      else this.#handOver(candidate, rate, outcome);
    });
  }

  #handOver(
    { raw, nowMs, realNowMs, startedMs, otherwise }: Candidate,
    rate: HandedOver['rate'],
    requestBytes: Buffer | null,
  ): void {
    this.#handedOver.set(raw, { rate, nowMs, realNowMs, startedMs, requestBytes });
    otherwise();
  }

  /** Without the budget, like every login. */
  #answer(candidate: Candidate, prepared: Prepared, requestBytes: Buffer): void {
    sendFast(this.#deps, this.#names, candidate, {
      ...{ operation: candidate.operation, params: {}, caller: null, restaurantGuid: null },
      ...{ alike: null, status: 200, rate: null, headers: prepared.headers },
      ...{ requestBytes, body: prepared.text, answerBytes: prepared.plain },
    });
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
