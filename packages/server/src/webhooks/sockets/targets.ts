import type { Outcome } from './outcome.ts';

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Covers name, connection and TLS. */
  readonly connectTimeoutMs: number;
  /** From the first byte of the request to the last byte of the answer. */
  readonly answerTimeoutMs: number;
}

/** The only way this process calls addresses that partners choose. */
export interface Targets {
  /** Never throws and follows no redirect. */
  post(post: Post): Promise<Outcome>;
  close(): Promise<void>;
}
