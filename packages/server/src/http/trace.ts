import { randomBytes } from 'node:crypto';

const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})/;

/** The W3C trace that a request belongs to. */
export interface Trace {
  readonly traceId: string;
  /** The header for the answer and for calls onward: the same trace, this hop as the parent. */
  readonly traceparent: string;
}

/**
 * Carries a W3C `traceparent` through (decisions C3). Takes the request's header; gives null when
 * there is none or it is not valid, in which case W3C says to act as if it were absent.
 */
export function continueTrace(header: string | undefined): Trace | null {
  const match = header === undefined ? null : TRACEPARENT.exec(header);
  const [, traceId, flags] = match ?? [];
  if (traceId === undefined) return null;
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}` };
}
