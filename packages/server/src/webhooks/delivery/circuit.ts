import type { EndpointStanding, EndpointStateReason } from '../endpoints/endpoint-store.ts';

/** After so many attempts in a row that failed, an endpoint is tried one delivery at a time. */
export const SLOW_AFTER = 3;

/**
 * After so many it is paused, when it has been failing for so long: a receiver that is started anew
 * fails all that is under way at once.
 */
const PAUSE_AFTER = 10;
const PAUSE_AFTER_MS = 10_000;

/** An endpoint that is paused again so soon is probed more seldom than before. */
const RELAPSE_MS = 600_000;

/** A paused endpoint is probed after so long, then after twice as long each time, to a bound. */
const FIRST_PROBE_MS = 30_000;
/** Nobody waits longer for a probe, in milliseconds. */
export const LONGEST_PROBE_MS = 3_600_000;
/**
 * While a sandbox's clock is moved, each probe is a real call that the move waits for: a year would
 * be thousands of them. Once the clock stands, what is put off so far is brought back.
 */
const LONGEST_MOVED_PROBE_MS = 32 * 86_400_000;

/** Who pauses and resumes endpoints by itself, as histories name it. */
const BY = 'system:webhooks';

/** Why an endpoint is paused at once. */
export type PauseReason = 'GONE' | 'BLOCKED' | 'SECRET';

/** What an attempt tells of an endpoint. */
export interface CircuitEvent {
  /** What went wrong, in words; null when the delivery was taken. */
  readonly failure: string | null;
  /** The endpoint is paused at once, whatever came before; null when failures are counted. */
  readonly pause: PauseReason | null;
  /** How long the answer asked to be left alone, in milliseconds; null when it did not. */
  readonly askedDelayMs: number | null;
  /** True when the attempt was to find out whether a paused endpoint answers again. */
  readonly isProbe: boolean;
  /** True when it was made at its instant while somebody moved the clock. */
  readonly isClockMoved: boolean;
  /** The environment's time. */
  readonly nowMs: number;
}

/**
 * How an endpoint stands after an attempt. Failures in a row slow it, then pause it with what waits
 * for it kept; a probe that is taken resumes it. What a person decided stays.
 */
export function afterAttempt(standing: EndpointStanding, event: CircuitEvent): EndpointStanding {
  const { state, stateReason } = standing;
  if (event.failure === null) return afterSuccess(standing, event);
  const failures = standing.failures + 1;
  // A clock that went back may be behind the time at which it began to fail.
  const sinceMs = Math.min(standing.failingSince?.getTime() ?? event.nowMs, event.nowMs);
  const failing = { failures, failingSince: new Date(sinceMs) };
  if (state === 'PAUSED' && stateReason !== 'PERSON') {
    if (!event.isProbe && event.pause === null) return { ...standing, ...failing };
    const reason = event.pause ?? stateReason;
    const probes = standing.probes + (event.isProbe ? 1 : 0);
    const since = reason === stateReason ? standing.stateSince : new Date(event.nowMs);
    return { ...paused(standing, event, reason, probes), ...failing, stateSince: since };
  }
  if (state !== 'ACTIVE') return { ...standing, ...failing };
  const isDown = failures >= PAUSE_AFTER && event.nowMs - sinceMs >= PAUSE_AFTER_MS;
  if (!isDown && event.pause === null) return { ...standing, ...failing };
  const isFlapping =
    standing.stateBy === BY && event.nowMs - standing.stateSince.getTime() < RELAPSE_MS;
  const probes = isFlapping ? standing.probes + 1 : 0;
  return { ...paused(standing, event, event.pause ?? 'FAILURES', probes), ...failing };
}

function afterSuccess(standing: EndpointStanding, event: CircuitEvent): EndpointStanding {
  const sound = { failures: 0, failingSince: null };
  // What was sent before a pause says nothing of what came after it.
  const isResumed = event.isProbe && standing.state === 'PAUSED' && standing.probeAt !== null;
  if (!isResumed) {
    // Most are: what does not change is not written.
    const isSound = standing.failures === 0 && standing.failingSince === null;
    return isSound || standing.state !== 'ACTIVE' ? standing : { ...standing, ...sound };
  }
  const resumed = { state: 'ACTIVE', stateReason: null, stateDetail: null, stateBy: BY } as const;
  return { ...standing, ...resumed, ...sound, stateSince: new Date(event.nowMs), probeAt: null };
}

function paused(
  { failures, failingSince }: EndpointStanding,
  { failure, askedDelayMs, isClockMoved, nowMs }: CircuitEvent,
  stateReason: EndpointStateReason | null,
  probes: number,
): EndpointStanding {
  const longestMs = isClockMoved ? LONGEST_MOVED_PROBE_MS : LONGEST_PROBE_MS;
  const doubledMs = Math.min(FIRST_PROBE_MS * 2 ** Math.min(probes, 20), longestMs);
  const ownMs = stateReason === 'GONE' ? Math.max(doubledMs, LONGEST_PROBE_MS) : doubledMs;
  return {
    state: 'PAUSED',
    stateReason,
    stateDetail: failure?.slice(0, 1_000) ?? null,
    stateSince: new Date(nowMs),
    stateBy: BY,
    failures,
    failingSince,
    probes,
    probeAt: new Date(nowMs + Math.max(ownMs, askedDelayMs ?? 0)),
  };
}
