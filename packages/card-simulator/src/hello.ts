import { newGuid } from '@servery/support/ids.ts';
import type { Secret } from '@servery/support/secret.ts';
import { LATE, within } from '@servery/support/timer.ts';
import { errorKind } from './error-kind.ts';
import { exchange, NothingSent } from './exchange.ts';
import { callHeaders, PROTOCOL, readHello, WrongShape } from './protocol.ts';

export type Greeting =
  | { readonly kind: 'ready'; readonly ledger: string | null }
  /** Not reached, no answer in time, no such path, or an answer that breaks the protocol. */
  | { readonly kind: 'away' | 'silent' | 'missing' | 'other'; readonly explanation: string };

const HELLO_LIMIT_MS = 2_000;

/** Never throws. */
export async function sayHello(url: string, secret: Secret | null): Promise<Greeting> {
  const key = `hello:${newGuid()}`;
  const stop = new AbortController();
  const headers = callHeaders(secret);
  const request = { method: 'POST', agent: false, headers, signal: stop.signal } as const;
  const body = JSON.stringify({ protocol: PROTOCOL, key });
  try {
    const call = exchange(`${url}/hello`, request, body);
    const received = await within(call, HELLO_LIMIT_MS);
    if (received === LATE) return { kind: 'silent', explanation: 'it did not answer in 2 seconds' };
    const { status, text } = received;
    if (status !== 200) {
      const kind = status === 404 ? 'missing' : 'other';
      return { kind, explanation: `it answered the status ${status}` };
    }
    const hello = readHello(JSON.parse(text));
    if (hello.key !== key) {
      return { kind: 'other', explanation: 'it answered to another key' };
    }
    return { kind: 'ready', ledger: hello.answer.ledger ?? null };
  } catch (error) {
    if (error instanceof NothingSent) {
      return { kind: 'away', explanation: `it was not reached (${error.message})` };
    }
    if (error instanceof WrongShape || error instanceof SyntaxError) {
      return { kind: 'other', explanation: 'its answer does not have the form of the protocol' };
    }
    return { kind: 'silent', explanation: `the connection broke (${errorKind(error)})` };
  } finally {
    stop.abort();
  }
}
