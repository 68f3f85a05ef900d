import { ApiError } from '../http/errors.ts';
import type { DoneWork, Reach } from '../support/due-work.ts';
import type { EnvironmentClockDeps, MovableClock } from './clock.ts';
import { type ClockHold, holdClock } from './clock-hold.ts';
import type { ClockMode } from './clock-store.ts';
import {
  findNext,
  findNextDeadline,
  type MovedClock,
  type NamedWork,
  type RecordClock,
} from './mover.ts';

export interface MoveClockDeps extends EnvironmentClockDeps {
  readonly clock: MovableClock;
  readonly dueWork: readonly NamedWork[];
  /** Gets errors of lease renewals; the move itself decides what they mean. */
  readonly onError: (error: unknown) => void;
  /** Aborted when the process stops: a move under way then ends. */
  readonly stopping?: AbortSignal;
}

/** Outside these years, deadlines and dates become unreliable. */
const FIRST_MS = Date.UTC(2000, 0, 1);
const LAST_MS = Date.UTC(9000, 0, 1) - 1;

/** Work that always creates new work would never end. */
const PIECES_AT_MOST = 10_000;
const LONGEST_MOVE_MS = 240_000;

interface Plan {
  readonly mode?: ClockMode;
  readonly targetMs: (fromMs: number) => number;
  readonly record?: RecordClock | undefined;
}

const NOTHING: MovedClock = { done: [], stoppedBecause: null };

export type ClockMover = ReturnType<typeof clockMover>;

/**
 * Due work runs piece by piece on the way, each while the clock stands at its instant. Every move
 * throws ApiError `conflict` during another move, and `unprocessable` for an instant out of range.
 * A move that changes nothing isn't recorded.
 */
export function clockMover(deps: MoveClockDeps) {
  const stay = (fromMs: number) => fromMs;
  /** Doesn't touch a clock that is already in the mode: it would lose the time of the call. */
  const switchTo = async (mode: ClockMode, record?: RecordClock) => {
    const isFree = await deps.clock.refresh();
    return isFree && deps.clock.mode === mode
      ? NOTHING
      : await move(deps, { mode, targetMs: stay, record });
  };
  return {
    freeze: (record?: RecordClock) => switchTo('FROZEN', record),
    run: (record?: RecordClock) => switchTo('RUNNING', record),
    /** Going back undoes nothing. */
    set: (instantMs: number, record?: RecordClock) =>
      move(deps, { targetMs: () => within(instantMs), record }),
    /** Months and years follow the UTC calendar. */
    advance: (duration: Temporal.Duration, record?: RecordClock) =>
      move(deps, { targetMs: (fromMs) => later(fromMs, duration), record }),
    /**
     * The earliest deadline within reach, if any. Work out of reach that is due earlier is also
     * done.
     */
    next: async (reach: Reach, record?: RecordClock) => {
      const toNext = async () => {
        const next = await findNextDeadline(deps.dueWork, reach);
        if (!next) return { moved: NOTHING, wasOverdue: false };
        const targetMs = (fromMs: number) => Math.max(fromMs, next.dueMs);
        const wasOverdue = next.dueMs <= deps.clock.nowMs();
        return { moved: await move(deps, { targetMs, record }), wasOverdue };
      };
      const { moved, wasOverdue } = await toNext();
      // The platform may have done the overdue work itself; then the next deadline is meant.
      const isOver = !wasOverdue || moved.done.length > 0 || moved.stoppedBecause !== null;
      return isOver ? moved : (await toNext()).moved;
    },
  };
}

async function move(deps: MoveClockDeps, plan: Plan): Promise<MovedClock> {
  const hold = await holdClock(deps, plan.targetMs);
  try {
    const moved = await doWhatFallsDue(deps, hold);
    const standsAtMs = moved.stoppedBecause === null ? hold.targetMs : hold.nowMs;
    await hold.release(standsAtMs, plan.mode, plan.record);
    return moved;
  } catch (error) {
    // The clock stays where it got to. If that can't be written, the lease expires.
    await hold.release(hold.nowMs, undefined, plan.record).catch(deps.onError);
    throw error;
  } finally {
    await hold.stop();
  }
}

async function doWhatFallsDue(deps: MoveClockDeps, hold: ClockHold): Promise<MovedClock> {
  if (hold.targetMs < hold.nowMs) {
    for (const { work } of deps.dueWork) await work.clockWentBack?.(hold.targetMs);
    return NOTHING;
  }
  const done: DoneWork[] = [];
  const startedMs = deps.realClock.nowMs();
  let rounds = 0;
  for (;;) {
    const next = await findNext(deps.dueWork);
    if (!next || next.dueMs > hold.targetMs) return { done, stoppedBecause: null };
    const stoppedBecause = limitReached(Math.max(rounds, done.length), deps, startedMs);
    if (stoppedBecause !== null) return { done, stoppedBecause };
    // Work that was overdue before the move runs where the clock stands: it doesn't go back.
    if (next.dueMs > hold.nowMs) await hold.standAt(next.dueMs);
    const options = { isSequential: true, piecesAtMost: 1 };
    done.push(...(await next.work.runDue(next.dueMs, options)));
    rounds += 1;
  }
}

function limitReached(
  pieces: number,
  { realClock, stopping }: MoveClockDeps,
  startedMs: number,
): string | null {
  const goOn = 'the clock stopped at the last of it. Move it again to continue.';
  if (stopping?.aborted) return `the server is stopping and more is due: ${goOn}`;
  if (pieces >= PIECES_AT_MOST)
    return `${pieces} pieces of work were done and more is due: ${goOn}`;
  if (realClock.nowMs() - startedMs < LONGEST_MOVE_MS) return null;
  return `the move took ${LONGEST_MOVE_MS / 1000} seconds and more is due: ${goOn}`;
}

function later(fromMs: number, duration: Temporal.Duration): number {
  const from = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO('UTC');
  try {
    return within(from.add(duration).epochMilliseconds);
  } catch (error) {
    // A time too large to compute is also outside the allowed range.
    if (error instanceof RangeError) return within(Number.POSITIVE_INFINITY);
    throw error;
  }
}

function within(instantMs: number): number {
  if (instantMs >= FIRST_MS && instantMs <= LAST_MS) return instantMs;
  throw new ApiError(
    'unprocessable',
    `The clock cannot go there: it can show any time from ${new Date(FIRST_MS).toISOString()} to ` +
      `${new Date(LAST_MS).toISOString()}.`,
  );
}
