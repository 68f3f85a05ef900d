import type { DemoClient } from '../../../packages/server/src/sandbox/demo-file.ts';
import { monotonicUs } from './history.ts';

/** A request of one account to one server. */
interface Call {
  /** Base address of the server. */
  readonly server: string;
  readonly method: 'GET' | 'PATCH' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** How long to wait for the answer, in milliseconds. */
  readonly limitMs: number;
}

/** What came of a request; times are of the monotonic clock. */
export interface Answer {
  readonly startUs: number;
  readonly endUs: number;
  /** Null when the connection broke or the time was over. */
  readonly status: number | null;
  readonly text: string | null;
  /** The header of this name. */
  readonly retryAfter: string | null;
}

/** Asks in the name of an account; null when no token could be had, so that nothing was asked. */
export type Caller = (call: Call) => Promise<Answer | null>;

const LOGIN_LIMIT_MS = 10_000;
/** A server that hasn't heard of a move of the clock makes tokens that end when it does. */
const ATTEMPTS = 3;

/**
 * Makes the caller of an account. It logs in when it has to, also when the clock was moved beyond
 * the end of its token: an answer 401 had no effect, so that the request is sent again.
 */
export function callerOf(account: DemoClient): Caller {
  let token: Promise<string | null> | null = null;
  return async (call) => {
    for (let attempt = 1; ; attempt += 1) {
      token ??= logIn(account, call.server);
      const used = token;
      const accessToken = await used;
      if (accessToken === null) {
        if (token === used) token = null;
        return null;
      }
      const answer = await send(call, accessToken);
      if (answer.status !== 401 || attempt === ATTEMPTS) return answer;
      if (token === used) token = null;
    }
  };
}

async function logIn(account: DemoClient, server: string): Promise<string | null> {
  const { clientId, clientSecret, userAccessType } = account;
  try {
    const response = await fetch(`${server}/authentication/v1/authentication/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientId, clientSecret, userAccessType }),
      signal: AbortSignal.timeout(LOGIN_LIMIT_MS),
    });
    if (!response.ok) return null;
    const { token } = (await response.json()) as { token: { accessToken: string } };
    return token.accessToken;
  } catch {
    return null;
  }
}

async function send(call: Call, accessToken: string): Promise<Answer> {
  const { server, method, path, headers, json, limitMs } = call;
  const hasBody = json !== undefined;
  const startUs = monotonicUs();
  try {
    const response = await fetch(`${server}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(hasBody ? { body: JSON.stringify(json) } : {}),
      signal: AbortSignal.timeout(limitMs),
    });
    const text = await response.text();
    const retryAfter = response.headers.get('retry-after');
    return { startUs, endUs: monotonicUs(), status: response.status, text, retryAfter };
  } catch {
    return { startUs, endUs: monotonicUs(), status: null, text: null, retryAfter: null };
  }
}
