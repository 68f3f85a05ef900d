import type { IncomingHttpHeaders } from 'node:http';
import { type ErrorClass, type Operation, requestChecks, type Scope } from '@servery/contract';
import type { Reach } from '../../reach/reach.ts';
import type { Fault } from '../errors.ts';
import type { Caller } from '../operation.ts';

/** What is looked at of a request, in the order in which it is (decisions API-5). */
export const checks = requestChecks;

/** One of the things that are looked at of a request; `rules` are those of the operation itself. */
export type Check = (typeof requestChecks)[number];

/** Why a request was refused. */
export interface Refusal {
  /** The first check that failed. */
  readonly check: Check;
  readonly errorClass: ErrorClass;
  /** What the caller was told; it may repeat what was sent. */
  readonly message: string;
  /**
   * Each field that broke a rule, and the rule. In production the caller may not be told (PAY-5, PAY-11).
   */
  readonly faults: readonly Fault[];
  /** The scope that the operation needs; null when it needs none, or no operation was found. */
  readonly scope: Scope | null;
  /** Where the caller holds that scope; null without a caller or a scope. */
  readonly reach: Reach | null;
}

/** A body that is not kept: its size, and why where that is not its size or form. */
export interface UnkeptBody {
  readonly length: number;
  readonly reason?: string;
}

/**
 * A request that was answered, as it was sent: nothing is redacted yet. Whoever keeps any of it
 * takes secrets and card numbers out first. Bodies are references, not copies.
 */
export interface FinishedRequest {
  readonly requestId: string;
  /** Null when no operation has this method and path. */
  readonly operation: Operation | null;
  readonly method: string;
  /** Path and query string. */
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  /** The environment's time when the request came, in epoch milliseconds. */
  readonly atMs: number;
  /** Real time when the request came, in epoch milliseconds. */
  readonly realAtMs: number;
  /** How long the answer took, in milliseconds; of a stream, until its first byte. */
  readonly durationMs: number;
  readonly status: number;
  /** Null when nobody was recognized. */
  readonly caller: Caller | null;
  /** The restaurant that the request names, whether or not the caller reaches it. */
  readonly restaurantGuid: string | null;
  readonly remoteAddress: string;
  readonly requestHeaders: IncomingHttpHeaders;
  /** The body as it was sent, or its size when it may not be kept; null when none was read. */
  readonly requestBytes: Buffer | UnkeptBody | null;
  readonly answerHeaders: Readonly<Record<string, string>>;
  /** The body before compression, or its size; null for none, for a 304 and for a stream. */
  readonly answerBytes: Buffer | UnkeptBody | null;
  /** Null for what was not refused. */
  readonly refusal: Refusal | null;
  /** The same for requests that differ in nothing but their time; null where nobody knows. */
  readonly alike: object | null;
}

/**
 * Is told of every finished request: counts, metrics, the log. It is called on the request's path,
 * so that it only takes note, and does what costs time later.
 */
export interface RequestObserver {
  finished(request: FinishedRequest): void;
}
