import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../../database/database.ts';
import type { DoneWork, DueWork } from '../../support/due-work.ts';
import { deleteDueGuests, findOldestGuestTime, type RemovedGuest } from './retention-store.ts';

export interface RetentionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly guestRetentionDays: number;
}

const DAY_MS = 86_400_000;
const BATCH = 500;

/** Each batch is its own statement, so several processes can share the work. */
export function createGuestRetention(deps: RetentionDeps): DueWork {
  const retentionMs = deps.guestRetentionDays * DAY_MS;
  const { sql } = deps.database;
  const cutoffAt = (nowMs: number) => new Date(nowMs - retentionMs);
  return {
    async nextDueMs() {
      const oldest = await findOldestGuestTime(sql, cutoffAt(deps.clock.nowMs()));
      return oldest && oldest.getTime() + retentionMs;
    },
    async runDue(nowMs) {
      const done: DoneWork[] = [];
      for (;;) {
        const removed = await deleteDueGuests(sql, cutoffAt(nowMs), BATCH);
        if (removed.length === 0) return done;
        done.push(...removed.map((guest) => removal(guest, retentionMs)));
      }
    },
  };
}

function removal({ merchantGuid, paymentUuid, createdAt }: RemovedGuest, retentionMs: number) {
  return {
    dueMs: createdAt.getTime() + retentionMs,
    kind: 'guestRetention',
    merchantGuid,
    paymentUuid,
    fromState: null,
    cause: null,
    toState: null,
  };
}
