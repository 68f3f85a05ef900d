import type { EndpointStanding, EndpointStateReason } from '../endpoints/endpoint-store.ts';

/** After this many failed attempts in a row, deliveries go out one at a time. */
export const SLOW_AFTER = 3;

/**
 * A receiver that restarts fails everything under way at once, so a pause needs both conditions.
 */
const PAUSE_AFTER = 10;
const PAUSE_AFTER_MS = 10_000;

const RELAPSE_MS = 600_000;

const FIRST_PROBE_MS = 30_000;
const LONGEST_PROBE_MS = 3_600_000;
/**
 * While a sandbox's clock moves, each probe is a real call that the move waits for. When the clock
 * stops, later probes are brought forward.
 */
const LONGEST_MOVED_PROBE_MS = 32 * 86_400_000;

const BY = 'system:webhooks';

export interface CircuitEvent {
  readonly failure: string | null;
  readonly pause: 'GONE' | 'BLOCKED' | 'SECRET' | null;
  readonly askedDelayMs: number | null;
  readonly isProbe: boolean;
  readonly isClockMoved: boolean;
  readonly nowMs: number;
}

/** What a person decided stays; only a delivered probe resumes an endpoint. */
export function afterAttempt(standing: EndpointStanding, event: CircuitEvent): EndpointStanding {
  const { state, stateReason } = standing;
  if (event.failure === null) return afterSuccess(standing, event);
  const failures = standing.failures + 1;
  // The clock may have gone back behind the first failure.
  const sinceMs = Math.min(standing.failingSince?.getTime() ?? event.nowMs, event.nowMs);
  const failing = { failures, failingSince: new Date(sinceMs) };
  if (state === 'PAUSED' && stateReason !== 'PERSON') {
    if (!event.isProbe && event.pause === null) return { ...standing, ...failing };
    const reason = event.pause ?? stateReason;
    const probes = standing.probes + (event.isProbe ? 1 : 0);
    const since = reason === stateReason ? standing.stateSince : new Date(event.nowMs);
    return { ...paused(event, reason, probes), ...failing, stateSince: since };
  }
  if (state !== 'ACTIVE') return { ...standing, ...failing };
  const isDown = failures >= PAUSE_AFTER && event.nowMs - sinceMs >= PAUSE_AFTER_MS;
  if (!isDown && event.pause === null) return { ...standing, ...failing };
  const isFlapping =
    standing.stateBy === BY && event.nowMs - standing.stateSince.getTime() < RELAPSE_MS;
  const probes = isFlapping ? standing.probes + 1 : 0;
  return { ...paused(event, event.pause ?? 'FAILURES', probes), ...failing };
}

function afterSuccess(standing: EndpointStanding, event: CircuitEvent): EndpointStanding {
  const sound = { failures: 0, failingSince: null };
  // An attempt sent before the pause says nothing about the state after it.
  const isResumed = event.isProbe && standing.state === 'PAUSED' && standing.probeAt !== null;
  if (!isResumed) {
    // The usual case: an unchanged standing is not written.
    const isSound = standing.failures === 0 && standing.failingSince === null;
    return isSound || standing.state !== 'ACTIVE' ? standing : { ...standing, ...sound };
  }
  const resumed = { state: 'ACTIVE', stateReason: null, stateDetail: null, stateBy: BY } as const;
  return { ...standing, ...resumed, ...sound, stateSince: new Date(event.nowMs), probeAt: null };
}

function paused(
  { failure, askedDelayMs, isClockMoved, nowMs }: CircuitEvent,
  stateReason: EndpointStateReason | null,
  probes: number,
): Omit<EndpointStanding, 'failures' | 'failingSince'> {
  const longestMs = isClockMoved ? LONGEST_MOVED_PROBE_MS : LONGEST_PROBE_MS;
  const doubledMs = Math.min(FIRST_PROBE_MS * 2 ** Math.min(probes, 20), longestMs);
  const ownMs = stateReason === 'GONE' ? Math.max(doubledMs, LONGEST_PROBE_MS) : doubledMs;
  return {
    state: 'PAUSED',
    stateReason,
    stateDetail: failure?.slice(0, 1_000) ?? null,
    stateSince: new Date(nowMs),
    stateBy: BY,
    probes,
    probeAt: new Date(nowMs + Math.max(ownMs, askedDelayMs ?? 0)),
  };
}
