import type { Session } from '@servery/postgres/session.ts';
import { SessionPool } from '@servery/postgres/session-pool.ts';
import { makeSql, type Sql } from '@servery/postgres/sql.ts';
import { LATE, within } from '@servery/support/timer.ts';
import type { Freshness } from './freshness.ts';

export interface Looker {
  /** Sends what `beside` sends with the same trip. */
  look(beside?: Beside): Promise<void>;
  hold(): Promise<void>;
  resume(): void;
  close(): Promise<void>;
}

type Beside = (sql: Sql) => Promise<unknown>;

export interface LookerDeps {
  readonly open: () => Session;
  readonly freshness: Freshness;
  readonly limitMs: number;
}

/**
 * Has its own session, so that the process can answer from memory while slow work holds the whole
 * pool. Replaces a session that fails or does not answer.
 */
export function openLooker({ open, freshness, limitMs }: LookerDeps): Looker {
  const pool = new SessionPool(open, 1, limitMs);
  return {
    async look(beside = async () => {}) {
      const session = await pool.acquire();
      let isSound = false;
      try {
        const sql = makeSql(session.send);
        const looking = Promise.all([freshness.look(sql), beside(sql)]);
        isSound = (await within(looking, limitMs)) !== LATE;
        if (!isSound) {
          const error = new Error(`no look for changes was answered within ${limitMs} ms`);
          throw Object.assign(error, { code: 'CONNECT_TIMEOUT' });
        }
      } finally {
        pool.release(session, isSound);
      }
    },
    hold: () => pool.hold(limitMs),
    resume: () => pool.resume(),
    close: () => pool.close(0),
  };
}
