import type { PartnerEvent } from '@servery/contract';
import type { Timers } from '@servery/server/webhooks/target/timers.ts';
import { makeTestHeaders } from '@servery/webhooks';

/** An event as a listener got it. */
export interface HeardEvent {
  /** Behind it. */
  readonly cursor: string;
  readonly kind: 'event' | 'replay' | 'test';
  /** The body, byte for byte as endpoints get it. */
  readonly body: string;
  readonly event: PartnerEvent;
}

/** How a forward ended. */
export interface Forwarded {
  readonly url: string;
  /** Null when there was no answer. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Why there was no answer; null when there was one. */
  readonly error: string | null;
}

/** What forwarding leans on. */
export interface ForwardDeps {
  readonly timers: Timers;
  /** Aborted when the command is to end. */
  readonly signal: AbortSignal;
  readonly url: string;
  readonly secret: string;
  readonly brand: string;
  /** How long an answer may take, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Posts an event as the platform posts it to endpoints, signed with the secret of the listener, as
 * a first attempt. Throws only what `signal` was aborted with.
 */
export async function forward(deps: ForwardDeps, heard: HeardEvent): Promise<Forwarded> {
  const { timers, signal, url, secret, brand, timeoutMs } = deps;
  const { body, kind } = heard;
  const isReplay = kind === 'replay';
  const headers = makeTestHeaders({ body, secrets: secret, brand, isReplay });
  if (kind === 'test') headers[`${brand}-Test`] = 'true';
  const late = new AbortController();
  const stop = timers.after(timeoutMs, () => late.abort());
  const beganMs = timers.elapsedMs();
  const ended = (status: number | null, error: string | null): Forwarded => {
    const durationMs = Math.round((timers.elapsedMs() - beganMs) * 10) / 10;
    return { url, status, durationMs, error };
  };
  try {
    const response = await fetch(url, {
      ...{ method: 'POST', headers, body, redirect: 'manual' },
      signal: AbortSignal.any([signal, late.signal]),
    });
    await response.body?.cancel();
    return ended(response.status, null);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (late.signal.aborted) return ended(null, `no answer within ${timeoutMs} ms`);
    return ended(null, reasonOf(error));
  } finally {
    stop();
  }
}

/** Whether a forward was taken: answered with 2xx. */
export function isTaken({ status }: Forwarded): boolean {
  return status !== null && status >= 200 && status < 300;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'the name of the host is not known',
  UND_ERR_SOCKET: 'the connection was cut',
};

/** What fetch throws has the reason inside, sometimes one for each address of the host. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? (code || message);
}
