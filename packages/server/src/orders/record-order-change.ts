import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import type { OrderRow } from './order.ts';
import { queueOrderEvents, type ToldOrderChange } from './order-events.ts';
import type { OrderCause } from './order-observer.ts';
import { insertOrderEvent } from './order-store.ts';

export interface RecordedOrderChange extends Omit<ToldOrderChange, 'at'> {
  readonly cause: OrderCause;
  /** Never guest data. */
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly origin: ChangeOrigin;
}

/**
 * Writes who changed an order to its record and to the audit log, and tells partners. Call it last,
 * in the transaction that made the change.
 */
export async function recordOrderChange(sql: Sql, change: RecordedOrderChange): Promise<void> {
  const { before, after, cause, details, origin } = change;
  const { by, requestId } = origin;
  await Promise.all([
    insertOrderEvent(sql, after, { cause, details, by, requestId }),
    insertEntry(sql, origin, {
      subject: { kind: 'order', id: after.guid },
      restaurantGuid: after.restaurantGuid,
      before: before && factsOf(before),
      after: { ...factsOf(after), cause, ...details },
    }),
    queueOrderEvents(sql, { ...change, at: origin.at }),
  ]);
}

const factsOf = ({ version, approvalStatus, guestStatus }: OrderRow) => ({
  version,
  approvalStatus,
  guestStatus,
});
