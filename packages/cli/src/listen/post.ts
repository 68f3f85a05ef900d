import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Timer } from '@servery/support/timer.ts';

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** A receiver that streams is not waited for: its status was what counts. */
const ANSWER_MS = 1_000;
/** As much of an answer as the platform reads. */
const ANSWER_LIMIT = 65_536;
const SHOWN_AT_MOST = 200;

/**
 * Posts with the given headers and those of the connection, and no others: `fetch` would add its
 * own, and write names in its own way. Gives the answer as soon as its status is there. Throws the
 * error of the connection.
 */
export function post({ url, headers, body, signal }: Post): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const bytes = Buffer.from(body);
  const { host, protocol } = new URL(url);
  const send = protocol === 'https:' ? requestHttps : requestHttp;
  const sent = { host, connection: 'keep-alive', ...headers, 'content-length': `${bytes.length}` };
  // A connection that was kept may be dead, and would be told as a receiver that fails.
  const request = send(url, { method: 'POST', headers: sent, agent: false, signal }, resolve);
  request.on('error', reject);
  request.end(bytes);
  return promise;
}

/** Reads an answer to its end, or for a second; gives its first line, cut where it is long. */
export async function firstLineOf(answer: IncomingMessage, timer: Timer): Promise<string> {
  const stop = timer.after(ANSWER_MS, () => answer.destroy());
  let text = '';
  try {
    answer.setEncoding('utf8');
    for await (const piece of answer) {
      text += piece;
      if (text.length > ANSWER_LIMIT) break;
    }
  } catch {
    // What came until it broke is shown.
  } finally {
    stop();
  }
  const [line = ''] = text.trim().split(/\r?\n/);
  return line.slice(0, SHOWN_AT_MOST).toWellFormed();
}
