import type { BackOfficeOrder } from '@servery/contract';
import type { Database } from '../../database/database.ts';
import type { RestaurantContext } from '../../http/operation.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { legalMoves } from '../kitchen/statuses.ts';
import { orderOnWire } from '../on-wire.ts';
import { noGuestData, type OrderRow } from '../order.ts';
import { listGuestData, listOrderPayments } from '../order-store.ts';

/** In the order of the rows, with guest data. */
export async function showForOffice(
  { sql }: Pick<Database, 'sql'>,
  { guid: restaurantGuid, currencyCode }: RestaurantContext,
  rows: readonly OrderRow[],
): Promise<BackOfficeOrder[]> {
  const guids = rows.map(({ guid }) => guid);
  const [guests, payments] = await Promise.all([
    listGuestData(sql, restaurantGuid, guids),
    listOrderPayments(sql, restaurantGuid, guids),
  ]);
  const guestsOf = new Map(guests.map(({ orderGuid, content }) => [orderGuid, content]));
  const paymentsOf = Map.groupBy(payments, ({ orderGuid }) => orderGuid);
  return rows.map((row) => {
    const own = paymentsOf.get(row.guid) ?? [];
    const shown = guestsOf.get(row.guid) ?? noGuestData;
    return {
      version: row.version,
      ownerGuid: row.ownerGuid,
      clientId: row.clientId,
      currencyCode,
      fireAt: isoTimestamp(row.fireAt),
      fulfilledAt: row.fulfilledAt && isoTimestamp(row.fulfilledAt),
      nextDueAt: row.dueAt && isoTimestamp(row.dueAt),
      legalMoves: legalMoves(row, own),
      order: orderOnWire(row, { currencyCode, guests: shown, payments: own, isStored: true }),
    };
  });
}
