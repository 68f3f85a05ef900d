import type { WebhookEvent } from '@servery/contract';
import type { Timer } from '@servery/support/timer.ts';
import { shortReasonOf } from '../refusals.ts';
import { firstLineOf, post } from './post.ts';

export interface HeardEvent {
  /** Behind it. */
  readonly cursor: string;
  readonly kind: 'event' | 'replay' | 'test';
  /** The body, byte for byte as endpoints get it. */
  readonly body: string;
  readonly event: WebhookEvent;
}

export interface Forwarded {
  readonly url: string;
  /** Null when there was no answer. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Why there was no answer; null when there was one. */
  readonly error: string | null;
  /** The first line of an answer that is not 2xx; null for others, and without an answer. */
  readonly answer: string | null;
}

export interface ForwardDeps {
  readonly timer: Timer;
  readonly signal: AbortSignal;
  readonly url: string;
  /** The oldest first. */
  readonly secrets: readonly string[];
  readonly brand: string;
  /** How long an answer may take, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Posts an event as the platform posts it to endpoints, signed with the secret of the listener, as
 * a first attempt. Throws only what `signal` was aborted with.
 */
export async function forward(deps: ForwardDeps, heard: HeardEvent): Promise<Forwarded> {
  const { timer, signal, url, secrets, brand, timeoutMs } = deps;
  const { body, kind } = heard;
  const { makeTestHeaders, webhookHeaderNames } = await import('@servery/webhooks');
  const isReplay = kind === 'replay';
  const headers = {
    'user-agent': `${brand}-Webhooks`,
    ...makeTestHeaders({ body, secrets, brand, isReplay }),
    ...(kind === 'test' ? { [webhookHeaderNames(brand).test]: 'true' } : {}),
  };
  const late = new AbortController();
  const stop = timer.after(timeoutMs, () => late.abort());
  const beganMs = timer.elapsedMs();
  const sinceMs = () => Math.round((timer.elapsedMs() - beganMs) * 10) / 10;
  const failed = (error: string): Forwarded => {
    return { url, status: null, durationMs: sinceMs(), error, answer: null };
  };
  try {
    const ending = AbortSignal.any([signal, late.signal]);
    const answered = await post({ url, headers, body, signal: ending });
    const { statusCode: status = 0 } = answered;
    const durationMs = sinceMs();
    const line = await firstLineOf(answered, timer);
    return { url, status, durationMs, error: null, answer: isSound(status) ? null : line };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (late.signal.aborted) return failed(`no answer within ${timeoutMs} ms`);
    return failed(reasonOf(error));
  } finally {
    stop();
  }
}

export function isTaken({ status }: Forwarded): boolean {
  return status !== null && isSound(status);
}

function isSound(status: number): boolean {
  return status >= 200 && status < 300;
}

function reasonOf(error: unknown): string {
  const known = shortReasonOf(error);
  if (known !== null || !(error instanceof Error)) return known ?? String(error);
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'EPROTO') return 'it does not speak HTTPS';
  return code.startsWith('HPE_') ? 'it does not speak HTTP' : code || message;
}
