import type { Session } from '@servery/postgres/session.ts';
import { createSessionPool } from '@servery/postgres/session-pool.ts';
import { makeSql } from '@servery/postgres/sql.ts';
import { LATE, within } from '@servery/support/timer.ts';
import type { Freshness } from './freshness.ts';

/** Reads what other processes have changed. */
export interface Looker {
  /** Throws if the database does not answer in time. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/** How to look. */
export interface LookerDeps {
  readonly open: () => Session;
  readonly freshness: Freshness;
  /** How long a look may take, and how long it waits for the one before it, in milliseconds. */
  readonly limitMs: number;
}

/**
 * Makes a looker with its own session. While slow work holds every session of the pool, the process
 * can still answer from memory, but only if looks do not wait for the pool too. A session on which a
 * look fails, or is not answered, is replaced.
 */
export function openLooker({ open, freshness, limitMs }: LookerDeps): Looker {
  const pool = createSessionPool(open, 1, limitMs);
  return {
    async look() {
      const session = await pool.acquire();
      let isSound = false;
      try {
        const looking = freshness.look(makeSql(session.send)).then(() => true);
        isSound = (await within(looking, limitMs)) !== LATE;
        if (!isSound) throw new Error(`no look for changes was answered within ${limitMs} ms`);
      } finally {
        pool.release(session, isSound);
      }
    },
    close: () => pool.close(0),
  };
}
