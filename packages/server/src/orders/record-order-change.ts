import type { Change, ChangeOrigin } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import {
  queueRestaurantEventsAfter,
  type RestaurantNews,
} from '../webhooks/delivery/queue-restaurant-events.ts';
import type { OrderRow } from './order.ts';
import { orderNews, type ToldOrderChange } from './order-events.ts';
import type { OrderCause } from './order-observer.ts';
import { insertOrderEvent } from './order-store.ts';

export interface RecordedOrderChange extends Omit<ToldOrderChange, 'at'> {
  /** Moves of payments are counted as such. */
  readonly cause: OrderCause | 'paymentMoved';
  /** Never guest data. */
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly by: Pick<ChangeOrigin, 'by' | 'requestId'>;
  /** For the audit log, unless it has the change already. */
  readonly origin?: ChangeOrigin | undefined;
  /** Of what happened before in the transaction. */
  readonly news: readonly RestaurantNews[];
  readonly nowMs: number;
}

/**
 * Writes who changed an order to its record and to the audit log, and tells partners. Call it last,
 * in the transaction that made the change. What `writes` have begun goes in the same round trip.
 */
export async function recordOrderChange(
  sql: Sql,
  change: RecordedOrderChange,
  writes: readonly Promise<unknown>[] = [],
): Promise<void> {
  const { before, after, cause, details, by, origin, news, nowMs } = change;
  const entry: Change = {
    subject: { kind: 'order', id: after.guid },
    restaurantGuid: after.restaurantGuid,
    before: before && factsOf(before),
    after: { ...factsOf(after), cause, ...details },
  };
  const event = { cause, details, ...by };
  const recorded = insertOrderEvent(sql, after, event, origin ? { origin, change: entry } : null);
  const all = [...news, ...orderNews({ ...change, at: new Date(nowMs) })];
  await queueRestaurantEventsAfter(sql, [...writes, recorded], all);
}

const factsOf = ({ version, approvalStatus, guestStatus }: OrderRow) => ({
  version,
  approvalStatus,
  guestStatus,
});
