import type { Sql } from '../database/database.ts';
import type { DeadlineWork, DoneWork, DueWork, Reach } from '../support/due-work.ts';

export type NamedWork = {
  readonly kind: string;
} & (
  | { readonly isDeadline: true; readonly work: DeadlineWork }
  /** Housekeeping is done on the way, but `next` doesn't stop for it. */
  | { readonly isDeadline: false; readonly work: DueWork }
);

export interface MovedClock {
  readonly done: readonly DoneWork[];
  readonly stoppedBecause: string | null;
}

export interface ClockStand {
  readonly mode: 'RUNNING' | 'FROZEN';
  readonly nowMs: number;
}

/** Runs in the transaction that ends the move. */
export type RecordClock = (sql: Sql, before: ClockStand, after: ClockStand) => Promise<void>;

interface NextWork {
  readonly kind: string;
  readonly work: DueWork;
  readonly dueMs: number;
}

export async function findNextDeadline(
  dueWork: readonly NamedWork[],
  reach: Reach,
): Promise<NextWork | null> {
  const deadlines = dueWork.filter((source) => source.isDeadline);
  return firstOf(deadlines, (source) => source.work.nextDueMs(reach));
}

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
