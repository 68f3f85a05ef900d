import type { FinishedRequest } from '../http/observe.ts';
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
 * Requests that wait to be written. Adding costs next to nothing. When it is full the oldest one
 * that was not refused goes, since the refused ones are those that somebody asks about.
 */
export class RequestQueue {
  readonly #limits: QueueLimits;
  readonly #refused = new Set<QueuedRequest>();
  readonly #served = new Set<QueuedRequest>();
  #bodyBytes = 0;

  constructor(limits: QueueLimits = queueLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#refused.size + this.#served.size;
  }

  /** When the request that waits longest was answered, in real epoch milliseconds; or null. */
  oldestMs(): number | null {
    const firsts = [this.#refused, this.#served].flatMap((waiting) => [
      ...waiting.values().take(1),
    ]);
    const answered = firsts.map(({ realAtMs, durationMs }) => realAtMs + durationMs);
    return answered.length > 0 ? Math.min(...answered) : null;
  }

  /** Takes a request in; gives how many others were dropped for it. */
  add({ requestBytes, answerBytes, ...request }: FinishedRequest): number {
    const requestBody = keptBody(requestBytes);
    const answerBody = keptBody(answerBytes);
    const queued = { ...request, requestBody, answerBody };
    (request.refusal ? this.#refused : this.#served).add(queued);
    this.#bodyBytes += bytesOf(queued);
    let dropped = 0;
    while (this.size > this.#limits.requests || this.#bodyBytes > this.#limits.bodyBytes) {
      if (!this.#take(this.#served.size > 0 ? this.#served : this.#refused)) break;
      dropped += 1;
    }
    return dropped;
  }

  /** The next one to be written: the refused ones first, the oldest of them; null for none. */
  next(): QueuedRequest | null {
    return this.#take(this.#refused) ?? this.#take(this.#served);
  }

  #take(from: Set<QueuedRequest>): QueuedRequest | null {
    const { value: oldest } = from.values().next();
    if (!oldest) return null;
    from.delete(oldest);
    this.#bodyBytes -= bytesOf(oldest);
    return oldest;
  }
}

/** A body that is too long to be looked at must not be held in memory for its size alone. */
function keptBody(bytes: Buffer | null): QueuedRequest['requestBody'] {
  return bytes && bytes.length > LOOKED_AT_BYTES ? { length: bytes.length } : bytes;
}

function bytesOf({ requestBody, answerBody }: QueuedRequest): number {
  return [requestBody, answerBody].reduce(
    (sum, body) => sum + (Buffer.isBuffer(body) ? body.length : 0),
    0,
  );
}
