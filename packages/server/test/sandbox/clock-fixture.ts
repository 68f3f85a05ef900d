import type { FixedClock } from '@servery/support/clock.ts';
import type { Database } from '../../src/database/database.ts';
import { type MovableClock, openEnvironmentClock } from '../../src/sandbox/clock.ts';
import { type ClockMover, clockMover } from '../../src/sandbox/move-clock.ts';
import type { NamedWork } from '../../src/sandbox/mover.ts';
import { InMemoryWork } from './in-memory-work.ts';

/** One process's part in the clock of an environment. */
export interface ClockFixture {
  readonly clock: MovableClock;
  readonly realClock: FixedClock;
  readonly work: InMemoryWork;
  readonly dueWork: readonly NamedWork[];
  readonly mover: ClockMover;
}

/**
 * Opens the clock of a sandbox as a process does when it starts. The work is new when none is
 * taken over from an earlier process.
 */
export async function openClockFixture(
  database: Database,
  realClock: FixedClock,
  before?: InMemoryWork,
): Promise<ClockFixture> {
  const { movable: clock } = await openEnvironmentClock({ database, realClock }, 'sandbox');
  if (!clock) throw new Error('the clock of a sandbox can be moved');
  const work = before ?? new InMemoryWork(clock);
  work.clock = clock;
  const dueWork: readonly NamedWork[] = [{ kind: 'entry', isDeadline: true, work: work }];
  const onError = (error: unknown) => {
    throw error;
  };
  const mover = clockMover({ database, realClock, clock, dueWork, onError });
  return { clock, realClock, work, dueWork, mover };
}
