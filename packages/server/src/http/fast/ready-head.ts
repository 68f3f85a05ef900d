import {
  type IncomingMessage,
  type ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import { machineClock } from '@servery/support/clock.ts';
import { pairsOf } from '../pipeline/send.ts';
import type { ReadyForm } from './ready-body.ts';

/** Lines of headers that are the same in many answers. */
export interface FixedLines {
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** The same as they go on the wire. */
  readonly text: string;
}

/** An answer whose head is put together here. */
export interface ReadyWire {
  /** Null for a 304. */
  readonly form: ReadyForm | null;
  /** Names and values in turn, of this answer alone; nothing of them is a stranger's. */
  readonly own: readonly string[];
  readonly fixed: FixedLines;
  /** Whether the connection is to be closed behind it. */
  readonly isLast: boolean;
}

/** What node:http keeps of an answer whose head it has put together, and how it would do so. */
interface Assembled {
  /** Null until the head was put together. */
  _header: string | null;
  _hasBody: boolean;
  readonly _keepAliveTimeout: number;
  readonly _defaultKeepAlive: boolean;
  /** Absent until it is so. */
  readonly maxRequestsOnConnectionReached?: boolean;
}

const MS_PER_SECOND = 1_000;
let dated = { second: 0, line: '' };

/** Takes headers for many answers; throws a TypeError for what may not stand in one. */
export function fixedLines(headers: readonly string[]): FixedLines {
  let text = '';
  for (const [name, value] of pairsOf(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    text += `${name}: ${value}\r\n`;
  }
  return { headers, text };
}

/**
 * Sends an answer. To put the head of each one together, line by line, takes node:http longer than
 * all else that the ready path does. So its text is put together here and given to node:http, as
 * what it would have made itself, and with a short body behind it; when and in which order it is
 * sent, and what becomes of the connection, stays its affair. Anything but a plain request over a
 * connection that is kept goes its usual way.
 */
export function sendReady(raw: IncomingMessage, response: ServerResponse, wire: ReadyWire): void {
  const { form, own, fixed, isLast } = wire;
  const assembled = response as unknown as Assembled;
  if (isLast || !isPlain(raw, response, assembled)) {
    const last = isLast ? ['connection', 'close'] : [];
    response.writeHead(form ? 200 : 304, [...own, ...fixed.headers, ...last]);
    if (form?.text) response.end(form.text, 'latin1');
    else response.end(form?.bytes);
    return;
  }
  response.statusCode = form ? 200 : 304;
  let head = form ? 'HTTP/1.1 200 OK\r\n' : 'HTTP/1.1 304 Not Modified\r\n';
  for (let at = 0; at < own.length; at += 2) head += `${own[at]}: ${own[at + 1]}\r\n`;
  const seconds = Math.floor(assembled._keepAliveTimeout / MS_PER_SECOND);
  head += `${fixed.text}${dateLine()}Connection: keep-alive\r\n`;
  head += `Keep-Alive: timeout=${seconds}\r\n\r\n`;
  if (form?.text) {
    assembled._header = head + form.text;
    response.end();
    return;
  }
  assembled._header = head;
  assembled._hasBody = form !== null;
  response.end(form?.bytes);
}

/** Whether node:http would do nothing to the head but what is done here. */
function isPlain(raw: IncomingMessage, response: ServerResponse, assembled: Assembled): boolean {
  return (
    assembled._header === null &&
    response.shouldKeepAlive &&
    response.sendDate &&
    raw.httpVersionMajor === 1 &&
    raw.httpVersionMinor === 1 &&
    raw.headers.expect === undefined &&
    assembled._keepAliveTimeout > 0 &&
    assembled._defaultKeepAlive &&
    !assembled.maxRequestsOnConnectionReached
  );
}

function dateLine(): string {
  const second = Math.floor(machineClock.nowMs() / MS_PER_SECOND);
  if (second !== dated.second) {
    dated = { second, line: `Date: ${new Date(second * MS_PER_SECOND).toUTCString()}\r\n` };
  }
  return dated.line;
}
