import type { Outcome } from './outcome.ts';

/** One post to a receiver. */
export interface Post {
  /** As `readTarget` takes it; what it refuses is answered with `blocked`. */
  readonly url: string;
  /** Sent as they are; content length and host are added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** For the name, the connection and TLS together. */
  readonly connectTimeoutMs: number;
  /** From the first byte of the request to the last one of the answer. */
  readonly answerTimeoutMs: number;
}

/** The only way in which this process reaches the addresses that partners name. */
export interface Targets {
  /**
   * Posts once and gives what came of it; never throws. Follows no redirection. Connections are
   * kept for a few seconds, each target for itself.
   */
  post(post: Post): Promise<Outcome>;
  /** Ends all connections; what is under way gets `stopped`. */
  close(): Promise<void>;
}
