import type { DoneWork, DueWork } from '../../support/runner.ts';

/** A source of due work, and what the back office calls it. */
export interface NamedWork {
  /** What is due there, for `nextDeadline.kind`. */
  readonly kind: string;
  /** False for housekeeping: it is done on the way, but nobody waits for it. */
  readonly isDeadline: boolean;
  readonly work: DueWork;
}

/** What became of a move of the clock. */
export interface MovedClock {
  /** What was done on the way, in the order of its due time. */
  readonly done: readonly DoneWork[];
  /** Why the clock stopped before it was where it was meant to be; null when it got there. */
  readonly stoppedBecause: string | null;
}

/**
 * Moves the clock of a sandbox. Whatever falls due on the way is done, one piece after the other,
 * each while the clock stands at its instant. Every move throws ApiError `conflict` when another
 * one is under way, and `unprocessable` for an instant that the clock cannot stand at.
 */
export interface ClockMover {
  /** Stops the clock; one that stands already goes on standing where it is. */
  freeze(): Promise<MovedClock>;
  /** Lets the clock go on from where it stands. */
  run(): Promise<MovedClock>;
  /** Sets the clock, in epoch milliseconds. Going back undoes nothing. */
  set(instantMs: number): Promise<MovedClock>;
  /** Sets the clock ahead. Months and years are those of the calendar in UTC. */
  advance(duration: Temporal.Duration): Promise<MovedClock>;
  /** Sets the clock to the earliest deadline, if there is any; housekeeping is none. */
  next(): Promise<MovedClock>;
}

/** The earliest deadline: what `findNext` gives when housekeeping is left out. */
export function findNextDeadline(dueWork: readonly NamedWork[]): ReturnType<typeof findNext> {
  return findNext(dueWork.filter(({ isDeadline }) => isDeadline));
}

/** The source of the work that is due first, and when in epoch milliseconds; null when none is. */
export async function findNext(
  dueWork: readonly NamedWork[],
): Promise<(NamedWork & { readonly dueMs: number }) | null> {
  const all = await Promise.all(
    dueWork.map(async (source) => ({ ...source, dueMs: await source.work.nextDueMs() })),
  );
  return all.reduce<(NamedWork & { readonly dueMs: number }) | null>((first, { dueMs, ...one }) => {
    return dueMs === null || (first && first.dueMs <= dueMs) ? first : { ...one, dueMs };
  }, null);
}
