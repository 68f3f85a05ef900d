import type { ClockMove } from './history.ts';

/**
 * What may be said of the environment's clock from outside, in milliseconds since the machine's
 * began: it runs with the machine's, may stand still while it is moved, and each move brings it
 * forward somewhere between its request and its answer, or, when no answer came, at any time from
 * its request on or never.
 */
export interface MovedClock {
  /** The least that it can show at an instant of the monotonic clock. */
  atLeastMs(atUs: number): number;
  /** The most that it can show then. */
  atMostMs(atUs: number): number;
  /** The earliest instant from `fromUs` on at which it may show `targetMs`. */
  mayShowFromUs(targetMs: number, fromUs: number): number;
}

/** Clocks of database and machine are compared once a second, and may drift so much between. */
const SLACK_MS = 100;

/** So long a move whose answer was lost may keep the clock from running. */
const LOST_MOVE_MS = 120_000;

/** Makes it of the moves that were asked for. */
export function movedClock(moves: readonly ClockMove[]): MovedClock {
  const atMostMs = (atUs: number) => {
    const begun = moves.filter(({ startUs }) => startUs <= atUs);
    return atUs / 1000 + SLACK_MS + sumOf(begun.map(({ byMs }) => byMs));
  };
  const starts = moves.map(({ startUs }) => startUs).sort((one, other) => one - other);
  return {
    atLeastMs(atUs) {
      const done = moves.filter(({ endUs, isKnown }) => isKnown && endUs <= atUs);
      const stoodStillMs = sumOf(moves.map((move) => stillMs(move, atUs)));
      return atUs / 1000 - SLACK_MS - stoodStillMs + sumOf(done.map(({ byMs }) => byMs));
    },
    atMostMs,
    mayShowFromUs(targetMs, fromUs) {
      let atUs = fromUs;
      for (const nextUs of [...starts.filter((startUs) => startUs > fromUs), Infinity]) {
        const waitUs = Math.max(0, (targetMs - atMostMs(atUs)) * 1000);
        if (atUs + waitUs < nextUs) return atUs + waitUs;
        atUs = nextUs;
      }
      return atUs;
    },
  };
}

function stillMs({ startUs, endUs, isKnown }: ClockMove, atUs: number): number {
  const lastUs = isKnown ? endUs : startUs + LOST_MOVE_MS * 1000;
  return Math.max(0, Math.min(lastUs, atUs) - startUs) / 1000;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
