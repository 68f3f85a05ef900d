import type { IncomingHttpHeaders } from 'node:http';
import type { Timer } from '@servery/support/timer.ts';
import type { Dispatcher } from 'undici';
import type { Line } from './line.ts';
import { type AnswerEnd, codeOf, DialFailed, type FailureKind, type Outcome } from './outcome.ts';

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Covers name, connection and TLS. */
  readonly connectTimeoutMs: number;
  /** From the first byte of the request to the last byte of the answer. */
  readonly answerTimeoutMs: number;
}

const ANSWER_LIMIT_BYTES = 65_536;
const RETRY_AFTER_LIMIT = 200;
const LOCATION_LIMIT = 500;

class Over extends Error {}

interface Coming {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly chunks: Buffer[];
  size: number;
}

export class Exchange implements Dispatcher.DispatchHandler {
  /** Never rejects. */
  readonly outcome: Promise<Outcome>;
  readonly #line: Line;
  readonly #post: Post;
  readonly #timer: Timer;
  readonly #startedMs: number;
  readonly #resolve: (outcome: Outcome) => void;
  #cancelTimer: () => void;
  #controller: Dispatcher.DispatchController | null = null;
  #coming: Coming | null = null;
  #isOver = false;

  constructor(line: Line, path: string, post: Post, timer: Timer) {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.outcome = promise;
    this.#resolve = resolve;
    this.#line = line;
    this.#post = post;
    this.#timer = timer;
    this.#startedMs = timer.elapsedMs();
    this.#cancelTimer = timer.after(post.connectTimeoutMs, () => {
      this.#fail(
        'CONNECT_TIMEOUT',
        `No connection was established within ${post.connectTimeoutMs} ms.`,
      );
    });
    const { headers } = post;
    // undici needs a Buffer; this view copies nothing.
    const { buffer, byteOffset, byteLength } = post.body;
    const body = Buffer.from(buffer, byteOffset, byteLength);
    line.client.dispatch({ path, method: 'POST', headers, body }, this);
  }

  stop(): void {
    this.#fail('STOPPED', 'The process is stopping.');
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) {
      controller.abort(new Over());
      return;
    }
    this.#cancelTimer();
    const { answerTimeoutMs } = this.#post;
    this.#cancelTimer = this.#timer.after(answerTimeoutMs, () => {
      if (this.#coming) this.#answer(this.#coming, 'late');
      else this.#fail('ANSWER_TIMEOUT', `No response arrived within ${answerTimeoutMs} ms.`);
    });
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status >= 200) this.#coming = { status, headers, chunks: [], size: 0 };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const coming = this.#coming;
    if (!coming || this.#isOver) return;
    coming.chunks.push(chunk);
    coming.size += chunk.length;
    if (coming.size > ANSWER_LIMIT_BYTES) this.#answer(coming, 'capped');
  }

  onResponseEnd(): void {
    this.#line.served += 1;
    if (this.#coming) this.#answer(this.#coming, 'whole');
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#coming) this.#answer(this.#coming, 'broken');
    else if (this.#controller) this.#fail(...failureAfterRequest(error));
    else if (error instanceof DialFailed) this.#fail(error.kind, error.message);
    else this.#fail('REFUSED', `No connection was established (${codeOf(error)}).`);
  }

  #answer({ status, headers, chunks, size }: Coming, end: AnswerEnd): void {
    this.#end(end !== 'whole', {
      kind: 'ANSWERED',
      status,
      text: textOf(Buffer.concat(chunks, Math.min(size, ANSWER_LIMIT_BYTES)), end),
      end,
      retryAfter: clip(headers['retry-after'], RETRY_AFTER_LIMIT),
      location: clip(headers.location, LOCATION_LIMIT),
      address: this.#line.address ?? '',
      durationMs: this.#durationMs(),
    });
  }

  #fail(kind: FailureKind, explanation: string): void {
    const { address } = this.#line;
    this.#end(true, { kind, explanation, address, durationMs: this.#durationMs() });
  }

  #end(closes: boolean, outcome: Outcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelTimer();
    if (closes) this.#line.destroy(new Over());
    this.#resolve(outcome);
  }

  #durationMs(): number {
    return Math.max(0, Math.round(this.#timer.elapsedMs() - this.#startedMs));
  }
}

function failureAfterRequest(error: Error): [kind: FailureKind, explanation: string] {
  const isNoHttp =
    error.name === 'HTTPParserError' ||
    error.name === 'HeadersOverflowError' ||
    /^bad (response|upgrade)/.test(error.message);
  return isNoHttp
    ? ['NOT_HTTP', `The response is not valid HTTP (${codeOf(error)}).`]
    : ['RESET', `The connection ended before a response arrived (${codeOf(error)}).`];
}

/** PostgreSQL stores no NUL. Drops a character that the cut split. */
function textOf(bytes: Buffer, end: AnswerEnd): string {
  if (bytes.length === 0) return '';
  const text = new TextDecoder().decode(bytes, { stream: end !== 'whole' });
  return text.replaceAll('\0', '\uFFFD');
}

function clip(value: string | readonly string[] | undefined, limit: number): string | null {
  const text = typeof value === 'string' ? value : value?.[0];
  return text === undefined ? null : text.replaceAll('\0', '\uFFFD').slice(0, limit);
}
