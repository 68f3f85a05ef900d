import type { Sql } from '../database/database.ts';
import type { DeadlineWork, DoneWork, DueWork, Reach } from '../support/due-work.ts';

/** A source of due work, and what the back office calls it. */
export type NamedWork = {
  /** What is due there, for `nextDeadline.kind`. */
  readonly kind: string;
} & (
  | { readonly isDeadline: true; readonly work: DeadlineWork }
  /** Housekeeping: it is done on the way, but nobody waits for it. */
  | { readonly isDeadline: false; readonly work: DueWork }
);

/** What became of a move of the clock. */
export interface MovedClock {
  /** What was done on the way, in the order of its due time. */
  readonly done: readonly DoneWork[];
  /** Why the clock stopped before it was where it was meant to be; null when it got there. */
  readonly stoppedBecause: string | null;
}

/** How a clock stood or stands. */
export interface ClockStand {
  readonly mode: 'RUNNING' | 'FROZEN';
  /** In epoch milliseconds. */
  readonly nowMs: number;
}

/** Writes a move down, in the transaction that ends it. */
export type RecordClock = (sql: Sql, before: ClockStand, after: ClockStand) => Promise<void>;

/**
 * Moves the clock of a sandbox. Whatever falls due on the way is done, one piece after the other,
 * each while the clock stands at its instant. Every move throws ApiError `conflict` when another
 * one is under way, and `unprocessable` for an instant that the clock cannot stand at. A move that
 * changes nothing is not written down.
 */
export interface ClockMover {
  /** Stops the clock; one that stands already goes on standing where it is. */
  freeze(record?: RecordClock): Promise<MovedClock>;
  /** Lets the clock go on from where it stands. */
  run(record?: RecordClock): Promise<MovedClock>;
  /** Sets the clock, in epoch milliseconds. Going back undoes nothing. */
  set(instantMs: number, record?: RecordClock): Promise<MovedClock>;
  /** Sets the clock ahead. Months and years are those of the calendar in UTC. */
  advance(duration: Temporal.Duration, record?: RecordClock): Promise<MovedClock>;
  /**
   * Sets the clock to the earliest deadline within reach, if there is any; housekeeping is none.
   * What others have due before is done on the way, as with every move.
   */
  next(reach: Reach, record?: RecordClock): Promise<MovedClock>;
}

/** Work that is due, and when in epoch milliseconds. */
interface NextWork {
  readonly kind: string;
  readonly work: DueWork;
  readonly dueMs: number;
}

/** The earliest deadline within reach; housekeeping is none. Null when none waits. */
export async function findNextDeadline(
  dueWork: readonly NamedWork[],
  reach: Reach,
): Promise<NextWork | null> {
  const deadlines = dueWork.filter((source) => source.isDeadline);
  return firstOf(deadlines, (source) => source.work.nextDueMs(reach));
}

/** The source of the work that is due first, whosever it is; null when none is. */
export async function findNext(dueWork: readonly NamedWork[]): Promise<NextWork | null> {
  return firstOf(dueWork, (source) => source.work.nextDueMs());
}

async function firstOf<Source extends NamedWork>(
  sources: readonly Source[],
  ask: (source: Source) => Promise<number | null>,
): Promise<NextWork | null> {
  const all = await Promise.all(
    sources.map(async (source) => ({ source, dueMs: await ask(source) })),
  );
  return all.reduce<NextWork | null>((first, { dueMs, source: { kind, work } }) => {
    return dueMs === null || (first && first.dueMs <= dueMs) ? first : { kind, work, dueMs };
  }, null);
}
