import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { NotChecked } from './not-checked.ts';
import type { Platform } from './platform.ts';
import { suiteSettings } from './settings.ts';

const ANSWER_LIMIT_MS = 60_000;
const REFUSALS_TO_WAIT_OUT = 5;

/** What came back over a bare socket until the platform closed it, or fell silent. */
export interface RawAnswer {
  /** The status of the first answer, or null when the platform closed without one. */
  readonly status: number | null;
  readonly text: string;
  /** True when nothing closed the connection within the limit: a hang. */
  readonly hung: boolean;
}

/**
 * Writes bytes to a new connection and reads until the other side closes it. For what no HTTP
 * client would send. The request should carry `Connection: close`. Waits and writes again when a
 * rate limit refuses.
 */
export async function sendRaw(platform: Platform, bytes: string | Buffer): Promise<RawAnswer> {
  const { level } = suiteSettings();
  if (level !== undefined && level !== 'full') {
    throw new NotChecked('it sends what no HTTP client would send: only --level full');
  }
  for (let refusals = 0; ; refusals += 1) {
    const answer = await sendOnce(platform, bytes);
    if (answer.status !== 429 || refusals === REFUSALS_TO_WAIT_OUT) return answer;
    await wait(Number(/^retry-after: (\d+)/im.exec(answer.text)?.[1] ?? 1) * 1000);
  }
}

function sendOnce(platform: Platform, bytes: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(platform.baseUrl);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) });
    const end = (hung: boolean) => {
      socket.destroy();
      const text = Buffer.concat(chunks).toString('latin1');
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1];
      resolve({ status: status === undefined ? null : Number(status), text, hung });
    };
    socket.setTimeout(ANSWER_LIMIT_MS, () => end(true));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A reset after garbage is a legitimate way to close: what counts is what was answered.
    socket.on('error', () => end(false));
    socket.on('end', () => end(false));
    socket.on('connect', () => socket.write(bytes));
  });
}

/** A whole HTTP/1.1 request as text, with `Connection: close`; lines end in CRLF. */
export function rawRequest(requestLine: string, headers: readonly string[], body = ''): string {
  return [
    `${requestLine} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...headers,
    '',
    body,
  ].join('\r\n');
}
