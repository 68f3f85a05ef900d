import type { Socket } from 'node:net';
import { Client } from 'undici';
import { type DialDeps, dial } from './dial.ts';
import type { Target } from './read-target.ts';

/** Most servers close idle connections after five seconds. */
const IDLE_MS = 4_000;
const LONGEST_IDLE_MS = 30_000;
const HEADERS_LIMIT_BYTES = 16_384;

export interface LineOptions {
  readonly connectTimeoutMs: number;
  readonly sinceMs: number;
  readonly onGone: (line: Line) => void;
}

export class Line {
  readonly client: Client;
  readonly sinceMs: number;
  served = 0;
  address: string | null = null;
  isConnected = false;
  #dialing = new AbortController();

  constructor(deps: DialDeps, target: Target, { connectTimeoutMs, sinceMs, onGone }: LineOptions) {
    this.sinceMs = sinceMs;
    this.client = new Client(new URL(target.url).origin, {
      connect: (_options, callback) => {
        this.#dial(deps, target, connectTimeoutMs).then(
          (socket) => callback(null, socket),
          (error) => callback(error, null),
        );
      },
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: LONGEST_IDLE_MS,
      maxHeaderSize: HEADERS_LIMIT_BYTES,
      // The caller sets exact time-outs itself.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.client.on('disconnect', () => {
      this.isConnected = false;
      onGone(this);
    });
  }

  #dial(deps: DialDeps, target: Target, timeoutMs: number): Promise<Socket> {
    this.served = 0;
    this.address = null;
    const onConnected = (address: string) => {
      this.address = address;
      this.isConnected = true;
    };
    return dial(deps, target, { timeoutMs, signal: this.#dialing.signal, onConnected });
  }

  destroy(reason: Error): void {
    this.#dialing.abort(reason);
    this.client.destroy(reason).catch(() => {});
  }
}
