import type { FinishedRequest } from '../http/pipeline/observe.ts';
import type { QueuedRequest } from './redact.ts';
import { LOOKED_AT_BYTES } from './redact-body.ts';

export interface QueueLimits {
  readonly requests: number;
  readonly bodyBytes: number;
}

const queueLimits: QueueLimits = { requests: 2_000, bodyBytes: 16_777_216 };

/** A full queue admits one in this many successful requests: brief entries burden the GC. */
const ONE_OF = 8;

interface Waiting {
  readonly request: Omit<FinishedRequest, 'requestBytes' | 'answerBytes' | 'alike'>;
  readonly requestBody: QueuedRequest['requestBody'];
  readonly answerBody: QueuedRequest['answerBody'];
}

/** When full, drops successful requests first: people ask about the refused ones. */
export class RequestQueue {
  readonly #limits: QueueLimits;
  readonly #refused: Waiting[] = [];
  readonly #served: Waiting[] = [];
  #bodyBytes = 0;
  #cameWhileFull = 0;

  constructor(limits: QueueLimits = queueLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#refused.length + this.#served.length;
  }

  oldestMs(): number | null {
    const firsts = [...this.#refused.slice(0, 1), ...this.#served.slice(0, 1)];
    const answered = firsts.map(({ request }) => request.realAtMs + request.durationMs);
    return answered.length > 0 ? Math.min(...answered) : null;
  }

  /** Returns how many were dropped because the queue was full. */
  add(request: FinishedRequest): number {
    if (!request.refusal && this.size >= this.#limits.requests) {
      this.#cameWhileFull += 1;
      if (this.#cameWhileFull % ONE_OF !== 1) return 1;
    }
    const waiting = waitingOf(request);
    (request.refusal ? this.#refused : this.#served).push(waiting);
    this.#bodyBytes += bytesOf(waiting);
    let dropped = 0;
    while (this.size > this.#limits.requests || this.#bodyBytes > this.#limits.bodyBytes) {
      if (!this.#take(this.#served.length > 0 ? this.#served : this.#refused)) break;
      dropped += 1;
    }
    return dropped;
  }

  /** Refused requests first, then the oldest. */
  next(): QueuedRequest | null {
    const waiting = this.#take(this.#refused) ?? this.#take(this.#served);
    return waiting && queuedOf(waiting);
  }

  #take(from: Waiting[]): Waiting | null {
    const oldest = from.shift() ?? null;
    if (oldest) this.#bodyBytes -= bytesOf(oldest);
    return oldest;
  }
}

/** Does not hold a body that is too long to inspect. A shared body is in memory anyway. */
function waitingOf(request: FinishedRequest): Waiting {
  const { requestBytes, answerBytes, alike } = request;
  const [requestBody, answerBody] = [keptBody(requestBytes), keptBody(answerBytes)];
  const isShort = requestBody === requestBytes && answerBody === answerBytes;
  const waiting = { request, requestBody, answerBody };
  return isShort || alike ? waiting : { ...waiting, request: queuedOf(waiting) };
}

/** Some fields of a request are only computed on access, so each is named. */
function queuedOf({ request, requestBody, answerBody }: Waiting): QueuedRequest {
  return {
    requestId: request.requestId,
    operation: request.operation,
    method: request.method,
    url: request.url,
    params: request.params,
    fault: request.fault,
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
    explained: request.explained,
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
