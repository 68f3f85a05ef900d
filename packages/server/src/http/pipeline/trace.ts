import { randomBytes } from 'node:crypto';

const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?=$|-)/;
const HEX = 16;

/** What a `traceparent` says. */
export interface TraceParent {
  readonly traceId: string;
  /** Of whoever wrote it. */
  readonly spanId: string;
  /** Bit 0: the trace is recorded. */
  readonly traceFlags: number;
}

/** The W3C trace that a request belongs to. */
export interface Trace {
  readonly traceId: string;
  /** The header for the answer and for calls onward: the same trace, this hop as the parent. */
  readonly traceparent: string;
}

/**
 * Reads a W3C `traceparent`; gives null when there is none or it is not valid, in which case W3C
 * says to act as if it were absent.
 */
export function parseTraceparent(header: string | string[] | undefined): TraceParent | null {
  const text = Array.isArray(header) ? header[0] : header;
  const [, traceId, spanId, flags] = (text === undefined ? null : TRACEPARENT.exec(text)) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, HEX) };
}

/** Carries a W3C `traceparent` through (decisions API-3). Takes the request's header. */
export function continueTrace(header: string | undefined): Trace | null {
  const parent = parseTraceparent(header);
  if (!parent) return null;
  const { traceId, traceFlags } = parent;
  const flags = traceFlags.toString(HEX).padStart(2, '0');
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}` };
}
