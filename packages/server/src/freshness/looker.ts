import type { Session } from '@servery/postgres/session.ts';
import { SessionPool } from '@servery/postgres/session-pool.ts';
import { makeSql } from '@servery/postgres/sql.ts';
import { LATE, within } from '@servery/support/timer.ts';
import type { Freshness } from './freshness.ts';

export interface Looker {
  look(): Promise<void>;
  hold(): Promise<void>;
  resume(): void;
  close(): Promise<void>;
}

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
    async look() {
      const session = await pool.acquire();
      let isSound = false;
      try {
        const looking = freshness.look(makeSql(session.send)).then(() => true);
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
