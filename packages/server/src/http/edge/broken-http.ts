import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { brandedHeaders, type ErrorClass, errorClasses } from '@servery/contract';
import { newRandomId } from '@servery/support/ids.ts';
import { within } from '@servery/support/timer.ts';
import { ApiError } from '../errors.ts';
import { HEAD_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from './arrival-limits.ts';
import { renderError } from './render-error.ts';

export interface BrokenHttpDeps {
  readonly brand: string;
  readonly baseUrl: () => string;
}

interface Line extends Socket {
  /** May be gone once it was read and answered. */
  readonly parser?: { readonly incoming: IncomingMessage | null } | null;
  readonly _httpMessage?: ServerResponse | null;
}

export const EARLIER_ANSWERS_MS = 60_000;
export const FAREWELL_MS = 5_000;

const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT';
const NO_HANDSHAKE = 'ERR_TLS_HANDSHAKE_TIMEOUT';

interface Reason {
  readonly status: string;
  readonly errorClass: ErrorClass;
  readonly message: string;
}

const BROKEN: Reason = {
  status: '400 Bad Request',
  errorClass: 'badRequest',
  message: 'The bytes sent are not a valid HTTP request: check the request line and the headers.',
};
const UNKNOWN_VERSION: Reason = {
  status: '505 HTTP Version Not Supported',
  errorClass: 'versionNotSupported',
  message: errorClasses.versionNotSupported.explanation,
};

const REASONS: Readonly<Record<string, Reason>> = {
  HPE_HEADER_OVERFLOW: {
    ...BROKEN,
    status: '431 Request Header Fields Too Large',
    message: 'The request line and headers are larger than 16 KiB: send less.',
  },
  HPE_INVALID_VERSION: UNKNOWN_VERSION,
  HPE_PAUSED_H2_UPGRADE: UNKNOWN_VERSION,
  [TIMED_OUT]: {
    ...BROKEN,
    status: '408 Request Timeout',
    message:
      `The request did not arrive in time: its head within ${HEAD_TIMEOUT_MS / 1_000} seconds, ` +
      `all of it within ${REQUEST_TIMEOUT_MS / 1_000}. Send it faster.`,
  },
};

const refused = new WeakSet<Socket>();

/**
 * Answers bytes that are not HTTP, and hangs up. Answers to earlier requests on the connection go
 * first: otherwise the client takes the 400 for the answer to a payment. Discards what follows.
 */
export function refuseBrokenHttp(
  deps: BrokenHttpDeps,
  error: NodeJS.ErrnoException,
  socket: Socket,
): void {
  if (refused.has(socket)) return;
  const isSilent = error.code === TIMED_OUT && socket.bytesRead === 0;
  if (isSilent || error.code === NO_HANDSHAKE || error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  refused.add(socket);
  void hangUpBehindAnswers(deps, error, socket);
}

async function hangUpBehindAnswers(
  deps: BrokenHttpDeps,
  error: NodeJS.ErrnoException,
  line: Line,
): Promise<void> {
  const gone = new Promise<true>((resolve) => line.once('close', () => resolve(true)));
  // A late request could still become complete and run. Closing with unread bytes would lose the
  // answer.
  line
    .removeAllListeners('data')
    .removeAllListeners('end')
    .on('data', () => {});
  const incoming = line.parser?.incoming;
  const broken = incoming && !incoming.complete ? incoming : null;
  const isOwed = (await within(answersBefore(line, broken), EARLIER_ANSWERS_MS)) === true;
  if (isOwed && line.writable) line.write(refusalOf(deps, error));
  line.end();
  await within(gone, FAREWELL_MS);
  line.destroy();
}

/** False if the answer to `broken` was begun, or the client is gone. */
async function answersBefore(line: Line, broken: IncomingMessage | null): Promise<boolean> {
  for (;;) {
    const answer = line._httpMessage;
    if (!answer || line.destroyed) return !line.destroyed;
    const isOfBroken = answer.req === broken;
    if (isOfBroken && !answer.headersSent) return true;
    await new Promise<void>((resolve) => answer.once('close', resolve));
    if (isOfBroken) return false;
  }
}

function refusalOf(
  { brand, baseUrl }: BrokenHttpDeps,
  { code = '' }: NodeJS.ErrnoException,
): string {
  const { status, errorClass, message } = REASONS[code] ?? BROKEN;
  const requestId = newRandomId();
  const context = { operation: null, path: '/', requestId, baseUrl: baseUrl(), isSandbox: false };
  const { json } = renderError(new ApiError(errorClass, message), context);
  const body = JSON.stringify({ ...(json as object), status: Number.parseInt(status, 10) });
  const headers = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `${brandedHeaders(brand).requestId}: ${requestId}`,
    'cache-control: no-store',
    'connection: close',
  ];
  return `${headers.join('\r\n')}\r\n\r\n${body}`;
}
