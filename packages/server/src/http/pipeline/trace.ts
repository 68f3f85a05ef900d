import { randomBytes } from 'node:crypto';

const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?=$|-)/;
const HEX = 16;

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

export interface Trace {
  readonly traceId: string;
  readonly traceparent: string;
}

/** Null for an absent or invalid header, which W3C treats alike. */
export function parseTraceparent(header: string | string[] | undefined): TraceParent | null {
  const text = Array.isArray(header) ? header[0] : header;
  const [, traceId, spanId, flags] = (text === undefined ? null : TRACEPARENT.exec(text)) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, HEX) };
}

export function continueTrace(header: string | string[] | undefined): Trace | null {
  const parent = parseTraceparent(header);
  if (!parent) return null;
  const { traceId, traceFlags } = parent;
  const flags = traceFlags.toString(HEX).padStart(2, '0');
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}` };
}
