import type { IncomingHttpHeaders } from 'node:http';
import { type ErrorClass, type Operation, requestChecks, type Scope } from '@servery/contract';
import type { Reach } from '../../reach/reach.ts';
import type { Fault } from '../errors.ts';
import type { RequestNotes } from '../notes.ts';
import type { Caller } from '../operation.ts';
import type { Budget, RateVerdict } from './rate-limit.ts';

/** In the order of API-5. */
export const checks = requestChecks;

export type Check = (typeof requestChecks)[number];

export interface Refusal {
  readonly check: Check;
  readonly errorClass: ErrorClass;
  readonly message: string;
  /** In production the caller may not see these (PAY-5, PAY-11). */
  readonly faults: readonly Fault[];
  readonly scope: Scope | null;
  readonly reach: Reach | null;
}

export interface UnkeptBody {
  readonly length: number;
  readonly reason?: string;
}

/**
 * Nothing is redacted yet: observers must remove secrets and card numbers before they keep
 * anything. Bodies are references, not copies.
 */
export interface FinishedRequest {
  readonly requestId: string;
  readonly operation: Operation | null;
  readonly method: string;
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly atMs: number;
  readonly realAtMs: number;
  /** For a stream, until its first byte. */
  readonly durationMs: number;
  readonly status: number;
  readonly caller: Caller | null;
  /** Set even if the caller does not reach it. */
  readonly restaurantGuid: string | null;
  readonly remoteAddress: string;
  readonly requestHeaders: IncomingHttpHeaders;
  readonly requestBytes: Buffer | UnkeptBody | null;
  readonly answerHeaders: Readonly<Record<string, string>>;
  /** Before compression; null for none, for a 304 and for a stream. */
  readonly answerBytes: Buffer | UnkeptBody | null;
  readonly refusal: Refusal | null;
  /** The ordered fault that touched it. */
  readonly fault: string | null;
  readonly alike: object | null;
  /** Null if nobody wants the request explained. */
  readonly explained: Explained | null;
}

export interface Explained {
  readonly rate: (RateVerdict & Budget) | null;
  /** Null if the response came from memory. */
  readonly notes: RequestNotes | null;
}

/** Runs on the request's path, so it only takes note and does slow work later. */
export interface RequestObserver {
  finished(request: FinishedRequest): void;
}
