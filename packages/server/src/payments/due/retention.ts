import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../../database/database.ts';
import type { DoneWork, DueWork } from '../../support/due-work.ts';
import type { PaymentState } from '../life/lifecycle.ts';
import { deleteDueGuests, findOldestGuestTime, type RemovedGuest } from './retention-store.ts';

/** What the removal of guest data leans on. */
export interface RetentionDeps {
  readonly database: Database;
  /** The environment's clock. */
  readonly clock: Clock;
  /** Days after which guest data are removed from a payment that is over. */
  readonly guestRetentionDays: number;
}

const DAY_MS = 86_400_000;
const BATCH = 500;

/** Nothing more happens to such a payment; one in REVIEW is over when its alarms are seen to. */
const OVER: readonly PaymentState[] = ['DENIED', 'ABORTED', 'REVERSED', 'CAPTURED', 'VOIDED'];

/**
 * Removes what is known of the guest (address, e-mail and so on) from payments that are over, so
 * many days after it came; the payment, its events and its attempts stay. Batches are statements of
 * their own, and several processes share the work: a row is removed once, whoever does it.
 */
export function createGuestRetention(deps: RetentionDeps): DueWork {
  const retentionMs = deps.guestRetentionDays * DAY_MS;
  const { sql } = deps.database;
  const ruleAt = (nowMs: number) => ({ cutoff: new Date(nowMs - retentionMs), states: OVER });
  return {
    async nextDueMs() {
      const oldest = await findOldestGuestTime(sql, ruleAt(deps.clock.nowMs()));
      return oldest && oldest.getTime() + retentionMs;
    },
    async runDue(nowMs, { isSequential }) {
      const done: DoneWork[] = [];
      const options = { limit: BATCH, waits: isSequential };
      for (;;) {
        const removed = await deleteDueGuests(sql, ruleAt(nowMs), options);
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
