import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import type { FollowingClock } from '@servery/support/clock.ts';
import { type Runner, runEvery } from '@servery/support/runner.ts';
import type { Database } from '../database/database.ts';
import type { EnvironmentClock } from '../sandbox/clock.ts';
import { findWaiting, type Waiting } from './waiting-store.ts';

export interface LooksDeps {
  readonly database: Database;
  readonly realClock: FollowingClock;
  readonly clock: EnvironmentClock;
  readonly onError: (error: unknown) => void;
}

export interface Looks extends Runner {
  /** As of the last look. */
  waiting(): Waiting;
  /** Calls `act` after each look. */
  afterEach(act: (waiting: Waiting) => void): void;
}

/** What others changed must be known within a second, and due work begin within one (PAY-I3). */
const LOOK_MS = 250;
/** A process that serves nothing leaves out every second look. */
const REST_AFTER_MS = 10_000;

/**
 * Everything that a process asks the database again and again, in one trip: what others changed, the
 * time, and whether work waits. Most of what a look costs is that PostgreSQL wakes up.
 */
export async function startLooks(deps: LooksDeps): Promise<Looks> {
  const { database, realClock, clock, onError } = deps;
  const actions: ((waiting: Waiting) => void)[] = [];
  let waiting: Waiting;
  let isLeftOut = false;
  const look = async () => {
    await database.look(async (sql) => {
      const [found] = await Promise.all([
        findWaiting(sql),
        realClock.follow(() => readDatabaseTimeMs(sql)),
        clock.refresh(sql),
      ]);
      waiting = found;
    });
    for (const act of actions) act(waiting);
  };
  await look();
  const runner = runEvery(
    LOOK_MS,
    async () => {
      isLeftOut = !isLeftOut && !database.freshness.wasAskedWithin(REST_AFTER_MS);
      if (!isLeftOut) await look();
    },
    onError,
  );
  return {
    waiting: () => waiting,
    afterEach: (act) => void actions.push(act),
    stop: () => runner.stop(),
  };
}
