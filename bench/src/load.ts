import { connect, type Socket } from 'node:net';
import { AnswerReader } from './answer-reader.ts';
import type { Sample } from './scenario.ts';
import { percentile } from './statistics.ts';

/** One request as it goes over the wire, and what its answer must be. */
export interface LoadRequest {
  readonly bytes: Buffer;
  /** The status of the answer. */
  readonly status: number;
  /** The length of the answer's body, where it is always the same. */
  readonly length?: number;
  /** Looks at the body of an answer; throws when it is wrong. Sampled during a round. */
  readonly check?: (body: Buffer) => void;
}

/** What is asked during a round. */
export interface LoadTarget {
  readonly url: string;
  /** Gives the next request; it is asked in the middle of the load, so it has to be cheap. */
  readonly next: () => LoadRequest;
  /** Open connections, each with one request under way; `CONNECTIONS` when absent. */
  readonly connections?: number;
}

/** Open connections of a round. */
const CONNECTIONS = 16;

/** How much of the answer of an error is told. */
const TOLD_LENGTH = 500;
const READ_BYTES = 2 ** 18;

/** Every so many answers the body is looked at: rarely enough to cost nothing. */
const CHECKED_EVERY = 101;

/**
 * The bytes of a request, for `LoadRequest`. `headers` without host and length, which are added.
 */
export function requestBytes(
  url: string,
  { method = 'GET', headers = {}, body = '' }: RequestParts = {},
): Buffer {
  const { host, pathname, search } = new URL(url);
  const all = {
    host,
    ...headers,
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** What a request is made of. */
export interface RequestParts {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Asks for `seconds` over connections that each wait for an answer before they send the next
 * request. Gives answers per second and the percentiles of their times. The status and the length
 * of each answer are compared, and the body of one in a hundred; throws at the first that is
 * wrong, and when a connection breaks in the middle of an answer.
 */
export async function measureLoad(target: LoadTarget, seconds: number): Promise<Sample> {
  const round = new Round(target, seconds * 1000);
  const { connections = CONNECTIONS } = target;
  await Promise.all(Array.from({ length: connections }, () => round.runConnection()));
  return round.sample();
}

/** Asks once, and gives the answer's body; throws when the answer is not as the request says. */
export async function askOnce(url: string, request: LoadRequest): Promise<Buffer> {
  let body = Buffer.alloc(0);
  const check = (bytes: Buffer) => {
    request.check?.(bytes);
    body = Buffer.from(bytes);
  };
  await measureLoad({ url, next: () => ({ ...request, check }), connections: 1 }, 0);
  return body;
}

class Round {
  readonly #target: LoadTarget;
  readonly #startedMs = performance.now();
  readonly #endsMs: number;
  readonly #timesMs: number[] = [];
  #lastMs = 0;

  constructor(target: LoadTarget, durationMs: number) {
    this.#target = target;
    this.#endsMs = this.#startedMs + durationMs;
  }

  sample(): Sample {
    const sorted = Float64Array.from(this.#timesMs).sort();
    const elapsedMs = this.#lastMs - this.#startedMs;
    return {
      value: (sorted.length * 1000) / elapsedMs,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
    };
  }

  /** Asks until the time is over; a connection that the server ends between answers is replaced. */
  async runConnection(): Promise<void> {
    while (!(await this.#runSocket())) {
      // The server has closed a connection in good order: that is its right.
    }
  }

  /** Gives whether the time is over. */
  #runSocket(): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const { hostname, port } = new URL(this.#target.url);
    const reader = new AnswerReader();
    let request: LoadRequest | null = null;
    let sentMs = 0;
    const take = (chunk: Buffer) => {
      try {
        if (request === null || !reader.read(chunk)) return;
        this.#take(request, reader, sentMs);
        request = null;
        if (this.#lastMs >= this.#endsMs) end(socket, () => resolve(true));
        else if (!reader.closes) send();
      } catch (error) {
        fail(error);
      }
    };
    const socket = connect({
      ...{ host: hostname, port: Number(port), noDelay: true },
      // One buffer for all that is read: making a new one each time costs more than the reading.
      onread: {
        buffer: Buffer.allocUnsafe(READ_BYTES),
        callback: (count, buffer) => {
          take((buffer as Buffer).subarray(0, count));
          return true;
        },
      },
    });
    const send = () => {
      request = this.#target.next();
      reader.keepsBody = request.check !== undefined && this.#timesMs.length % CHECKED_EVERY === 0;
      sentMs = performance.now();
      socket.write(request.bytes);
    };
    const fail = (error: unknown) => {
      socket.destroy();
      reject(error);
    };
    socket.once('connect', send).on('error', fail);
    socket.on('close', () => {
      if (request === null) resolve(false);
      else reject(new Error(`${this.#target.url} closed a connection in the middle of an answer`));
    });
    return promise;
  }

  #take(request: LoadRequest, reader: AnswerReader, sentMs: number): void {
    this.#lastMs = performance.now();
    this.#timesMs.push(this.#lastMs - sentMs);
    const { status, length, body } = reader;
    const isRight =
      status === request.status && (request.length === undefined || length === request.length);
    if (!isRight) {
      const wanted = `${request.status} of ${request.length ?? 'any'} bytes`;
      const line = request.bytes.subarray(0, request.bytes.indexOf('\r')).toString();
      const told = body.length > 0 ? `: ${body.toString().slice(0, TOLD_LENGTH)}` : '';
      throw new Error(`${line} was answered ${status} of ${length} bytes, not ${wanted}${told}`);
    }
    if (reader.keepsBody) request.check?.(body);
  }
}

function end(socket: Socket, onEnd: () => void): void {
  socket.removeAllListeners('close').on('close', onEnd).destroy();
}
