import type { AnswerOf, OperationId } from '@servery/contract';
import { ErrorAnswer, NoAnswer, NotAPlatform } from './errors.ts';
import {
  type After,
  type Answered,
  joined,
  type RequestFor,
  type Retry,
  signalsOf,
  Transport,
  type TransportOptions,
  textOf,
} from './transport.ts';

/** When a request is sent again. */
export interface RetryRules {
  /** How many times a request is sent at most. */
  readonly attempts: number;
  /** The pause before the second attempt. It doubles each time, minus up to half at random. */
  readonly pauseMs: number;
  /** If `Retry-After` is longer, the call fails at once. */
  readonly retryAfterAtMostMs: number;
}

export interface RetryingOptions extends TransportOptions {
  readonly after: After;
  readonly retries: RetryRules;
}

/** Retries requests by rules, with the same bytes. */
export class RetryingTransport extends Transport {
  readonly #rules: RetryRules;
  readonly #after: After;
  readonly #signal: AbortSignal | undefined;
  readonly #onRetry: ((retry: Retry) => void) | undefined;

  constructor(options: RetryingOptions) {
    super(options);
    this.#rules = options.retries;
    this.#after = options.after;
    this.#signal = options.signal;
    this.#onRetry = options.hooks?.onRetry;
  }

  override async send<Id extends OperationId>(
    id: Id,
    request: RequestFor<Id> = {},
  ): Promise<Answered<AnswerOf<Id>>> {
    const given = { ...request, text: request.text ?? textOf(request.body) };
    const isRepeatable = request.isRepeatable ?? this.methodOf(id) !== 'POST';
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await super.send(id, given);
      } catch (error) {
        const pauseMs = this.#pauseBefore(attempt, error, isRepeatable);
        if (pauseMs === null || this.#endingOf(request.signal)?.aborted) throw error;
        request.onRetry?.(error);
        this.#onRetry?.({ operation: id, attempt, pauseMs, error });
        await this.pause(pauseMs, request.signal);
      }
    }
  }

  /** Resolves after that time; rejects with the reason if a signal aborts. */
  async pause(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
    const ending = this.#endingOf(signal);
    ending?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      let stop = () => {};
      const onAbort = () => {
        stop();
        reject(ending?.reason);
      };
      ending?.addEventListener('abort', onAbort, { once: true });
      stop = this.#after(durationMs, () => {
        ending?.removeEventListener('abort', onAbort);
        resolve();
      });
    });
  }

  #endingOf(signal: AbortSignal | undefined): AbortSignal | null {
    return joined(signalsOf(this.#signal, signal));
  }

  /** How long to wait before retrying a failed request; null if it is not retried. */
  #pauseBefore(attempt: number, error: unknown, isRepeatable: boolean): number | null {
    const { attempts, pauseMs, retryAfterAtMostMs } = this.#rules;
    if (attempt >= attempts) return null;
    // A 429 or 503 of the platform means that nothing was done.
    const isTurnedAway = error instanceof ErrorAnswer && [429, 503].includes(error.status);
    const mayRepeat = isRepeatable || isHarmless(error);
    if (!isTurnedAway && !(mayRepeat && isLost(error))) return null;
    const asked = isTurnedAway ? error.retryAfterMs : null;
    if (asked !== null) return asked <= retryAfterAtMostMs ? asked : null;
    return pauseMs * 2 ** (attempt - 1) * (1 - Math.random() / 2);
  }
}

/** Whether the response was lost, or something in between responded instead of the platform. */
function isLost(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  if (!(error instanceof NotAPlatform) || error.isPathWrong) return false;
  return error.status < 300 || error.status >= 500;
}

/** Whether the platform may have done what was asked, although it didn't say so. */
export function mayBeDone(error: unknown): boolean {
  return isLost(error) && !isHarmless(error);
}

/** Nothing was done: for example, the login failed before anything else was sent. */
function isHarmless(error: unknown): boolean {
  return error instanceof NoAnswer && !error.isOutcomeUnknown;
}
