import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../../database/database.ts';
import type { DoneWork, DueWork } from '../../support/due-work.ts';
import { deleteGuests, findOldestGuests } from './due-store.ts';

interface EraseDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly clock: Clock;
  readonly orderGuestDays: number;
}

const BATCH = 500;

/** ORD-67: what guests wrote is erased, and the order stays. Dates count in UTC. */
export function createGuestErasure({ database: { sql }, orderGuestDays }: EraseDeps): DueWork {
  return {
    async nextDueMs() {
      const oldest = await findOldestGuests(sql);
      return oldest === null ? null : erasedAtMs(oldest, orderGuestDays);
    },
    async runDue(nowMs) {
      const done: DoneWork[] = [];
      const before = firstKept(nowMs, orderGuestDays);
      for (;;) {
        const erased = await deleteGuests(sql, before, BATCH);
        if (erased.length === 0) return done;
        done.push(...erased.map((one) => erasure(one, orderGuestDays)));
      }
    },
  };
}

/** The day after the last day on which the guests of a business date are kept. */
function erasedAtMs(businessDate: number, days: number): number {
  return dateOf(businessDate)
    .add({ days: days + 1 })
    .toZonedDateTime('UTC').epochMilliseconds;
}

function firstKept(nowMs: number, days: number): number {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO('UTC');
  const { year, month, day } = today.toPlainDate().subtract({ days });
  return year * 10_000 + month * 100 + day;
}

function dateOf(businessDate: number): Temporal.PlainDate {
  return new Temporal.PlainDate(
    Math.floor(businessDate / 10_000),
    Math.floor(businessDate / 100) % 100,
    businessDate % 100,
  );
}

function erasure(
  { restaurantGuid, businessDate }: { restaurantGuid: string; businessDate: number },
  days: number,
): DoneWork {
  return {
    dueMs: erasedAtMs(businessDate, days),
    kind: 'orderGuests',
    merchantGuid: restaurantGuid,
    paymentUuid: null,
    fromState: null,
    cause: null,
    toState: null,
  };
}
