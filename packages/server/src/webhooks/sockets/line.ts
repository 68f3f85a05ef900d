import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Client } from 'undici';
import { type DialDeps, dial } from './dial.ts';
import type { Target } from './read-target.ts';

/** How long a line waits for its next post, unless the far end says less: servers close at five. */
const IDLE_MS = 4_000;
/** As long as the far end may ask a line to be kept. */
const LONGEST_IDLE_MS = 30_000;
const HEADERS_LIMIT_BYTES = 16_384;

const require = createRequire(import.meta.url);

/** How long the connection of a line may take to come about, and who is told of its end. */
export interface LineOptions {
  /** In milliseconds. */
  readonly connectTimeoutMs: number;
  readonly onGone: (line: Line) => void;
}

/** One connection to a receiver, kept for the posts that follow; it does one post at a time. */
export class Line {
  /** The HTTP side; its connection comes about by `dial` alone. */
  readonly client: Client;
  /** How many answers came over it. */
  served = 0;
  /** The address that it is connected to; null until it is. */
  address: string | null = null;
  /** Whether its connection is there, as far as this side knows. */
  isConnected = false;
  #dialing = new AbortController();

  constructor(deps: DialDeps, target: Target, { connectTimeoutMs, onGone }: LineOptions) {
    // A hundred modules that no start waits for: the first post loads them.
    const undici: typeof import('undici') = require('undici');
    this.client = new undici.Client(new URL(target.url).origin, {
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
      // Whoever posts sets its own time-outs, which are exact.
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

  /** Ends the connection, or the attempt to make one. What is under way fails with the error. */
  destroy(reason: Error): void {
    this.#dialing.abort(reason);
    this.client.destroy(reason).catch(() => {});
  }
}
