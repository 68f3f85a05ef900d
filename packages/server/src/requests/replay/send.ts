import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { LoggedRequestDetails } from '@servery/contract';
import { monotonicMs } from '@servery/support/clock.ts';
import { sleep } from '@servery/support/timer.ts';
import { ApiError } from '../../http/errors.ts';
import type { ReplayTarget } from './ports.ts';

export interface SentAgain {
  readonly method: string;
  /** With its query, below the base address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** An ordered fault can hold an answer back for two minutes. */
const LONGEST_MS = 150_000;
/** The log is written twice a second, and later under load. */
const LOG_LIMIT_MS = 30_000;
const LOOK_MS = 50;

/**
 * Sends a request over the network like any other, and gives what the log of that environment says
 * about it: an ordered fault may keep the response from arriving. Throws ApiError `unavailable`.
 */
export async function sendAgain(
  { name, url, environment }: ReplayTarget,
  sent: SentAgain,
  requestIdHeader: string,
): Promise<LoggedRequestDetails> {
  const traceparent = newTraceparent();
  const giveUp = new AbortController();
  let answered: { requestId: string | null; atMs: number } | null = null;
  const headers = { ...sent.headers, traceparent };
  const answer = exchange(
    `${url}${sent.path}`,
    { ...sent, headers },
    requestIdHeader,
    giveUp.signal,
  );
  void answer.then((requestId) => {
    answered = { requestId, atMs: monotonicMs() };
  });
  const startedMs = monotonicMs();
  const sentMs = environment.realNowMs();
  try {
    for (;;) {
      const { requestId = null, atMs = null } = answered ?? {};
      const logged = await environment.findLogged({ requestId, traceparent, sentMs });
      if (logged) return logged;
      const isLate = monotonicMs() - startedMs > LONGEST_MS;
      if (isLate || (atMs !== null && monotonicMs() - atMs > LOG_LIMIT_MS)) throw notLogged(name);
      // Looks at once when the answer is there.
      if (atMs === null) await Promise.race([answer, sleep(LOOK_MS)]);
      else await sleep(LOOK_MS);
    }
  } finally {
    giveUp.abort();
  }
}

/** Gives the identifier of the request; null if no response came. */
function exchange(
  url: string,
  { method, headers, body }: SentAgain,
  requestIdHeader: string,
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve) => {
    const sending = request(url, { method, headers, agent: false, signal }, (response) => {
      const requestId = response.headers[requestIdHeader.toLowerCase()];
      response.resume();
      response.on('error', () => {});
      response.on('close', () => resolve(typeof requestId === 'string' ? requestId : null));
    });
    sending.on('error', () => resolve(null));
    sending.end(body ?? undefined);
  });
}

/** Marks the request in the log. */
function newTraceparent(): string {
  return `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`;
}

function notLogged(name: string): ApiError {
  return new ApiError(
    'unavailable',
    `The request was sent to ${name}, but the request log there has no answer to it. Try again in ` +
      'a few seconds.',
  );
}
