import type { FinishedRequest } from '../http/pipeline/observe.ts';
import type { QueuedRequest } from './redact.ts';
import { LOOKED_AT_BYTES } from './redact-body.ts';

/** How much a queue holds at most. */
export interface QueueLimits {
  readonly requests: number;
  /** Of bodies that are kept by reference. */
  readonly bodyBytes: number;
}

/** What a process holds at most of requests that are not written yet. */
const queueLimits: QueueLimits = { requests: 2_000, bodyBytes: 16_777_216 };

/**
 * While it is full, of so many requests that were not refused one comes in. What is thrown out
 * again soon after it came has lived just long enough to be dear to the collector of garbage.
 */
const ONE_OF = 8;

/** A request with as much of its bodies as may be looked at. */
interface Waiting {
  readonly request: Omit<FinishedRequest, 'requestBytes' | 'answerBytes' | 'alike'>;
  readonly requestBody: QueuedRequest['requestBody'];
  readonly answerBody: QueuedRequest['answerBody'];
}

/**
 * Requests that wait to be written. Adding costs next to nothing. When it is full the oldest one
 * that was not refused goes, since the refused ones are those that somebody asks about, and few of
 * those that were not refused come in.
 */
export class RequestQueue {
  readonly #limits: QueueLimits;
  readonly #refused = new Line();
  readonly #served = new Line();
  #bodyBytes = 0;
  /** How many came that were not refused while it was full. */
  #cameWhileFull = 0;

  constructor(limits: QueueLimits = queueLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#refused.size + this.#served.size;
  }

  /** When the request that waits longest was answered, in real epoch milliseconds; or null. */
  oldestMs(): number | null {
    const firsts = [this.#refused.first(), this.#served.first()].filter((first) => first !== null);
    const answered = firsts.map(({ request }) => request.realAtMs + request.durationMs);
    return answered.length > 0 ? Math.min(...answered) : null;
  }

  /** Takes a request in, or not; gives how many were dropped for want of room. */
  add(request: FinishedRequest): number {
    if (!request.refusal && this.size >= this.#limits.requests) {
      this.#cameWhileFull += 1;
      if (this.#cameWhileFull % ONE_OF !== 1) return 1;
    }
    const waiting = waitingOf(request);
    (request.refusal ? this.#refused : this.#served).add(waiting);
    this.#bodyBytes += bytesOf(waiting);
    let dropped = 0;
    while (this.size > this.#limits.requests || this.#bodyBytes > this.#limits.bodyBytes) {
      if (!this.#take(this.#served.size > 0 ? this.#served : this.#refused)) break;
      dropped += 1;
    }
    return dropped;
  }

  /** The next one to be written: the refused ones first, the oldest of them; null for none. */
  next(): QueuedRequest | null {
    const waiting = this.#take(this.#refused) ?? this.#take(this.#served);
    return waiting && queuedOf(waiting);
  }

  #take(from: Line): Waiting | null {
    const oldest = from.take();
    if (oldest) this.#bodyBytes -= bytesOf(oldest);
    return oldest;
  }
}

/** First in, first out. */
class Line {
  readonly #items: (Waiting | null)[] = [];
  #start = 0;

  get size(): number {
    return this.#items.length - this.#start;
  }

  first(): Waiting | null {
    return this.#items[this.#start] ?? null;
  }

  add(item: Waiting): void {
    this.#items.push(item);
  }

  take(): Waiting | null {
    const item = this.first();
    if (!item) return null;
    this.#items[this.#start] = null;
    this.#start += 1;
    // What was taken is cut off now and then, and not each time.
    if (this.#start > 1_000 && this.#start * 2 > this.#items.length) {
      this.#items.splice(0, this.#start);
      this.#start = 0;
    }
    return item;
  }
}

/**
 * A body that is too long to be looked at must not be held in memory for its size alone; one that
 * many requests are answered with is held anyway.
 */
function waitingOf(request: FinishedRequest): Waiting {
  const { requestBytes, answerBytes, alike } = request;
  const [requestBody, answerBody] = [keptBody(requestBytes), keptBody(answerBytes)];
  const isShort = requestBody === requestBytes && answerBody === answerBytes;
  const waiting = { request, requestBody, answerBody };
  return isShort || alike ? waiting : { ...waiting, request: queuedOf(waiting) };
}

/** Names each field: some of a request's are worked out only when they are asked for. */
function queuedOf({ request, requestBody, answerBody }: Waiting): QueuedRequest {
  return {
    requestId: request.requestId,
    operation: request.operation,
    method: request.method,
    url: request.url,
    params: request.params,
    atMs: request.atMs,
    realAtMs: request.realAtMs,
    durationMs: request.durationMs,
    status: request.status,
    caller: request.caller,
    restaurantGuid: request.restaurantGuid,
    remoteAddress: request.remoteAddress,
    requestHeaders: request.requestHeaders,
    answerHeaders: request.answerHeaders,
    refusal: request.refusal,
    requestBody,
    answerBody,
  };
}

function keptBody(bytes: QueuedRequest['requestBody']): QueuedRequest['requestBody'] {
  return bytes && bytes.length > LOOKED_AT_BYTES ? { length: bytes.length } : bytes;
}

function bytesOf({ requestBody, answerBody }: Waiting): number {
  return sizeOf(requestBody) + sizeOf(answerBody);
}

function sizeOf(body: QueuedRequest['requestBody']): number {
  return Buffer.isBuffer(body) ? body.length : 0;
}
