import type { HandlerOf, RequestFor } from '../../http/operation.ts';
import { pageTokens } from '../../http/paging.ts';
import { listOrders, type OrderSelection } from '../find-orders-store.ts';
import type { OrderRow } from '../order.ts';
import type { OrderDeps } from '../order-deps.ts';
import { readableOwner } from '../reach-orders.ts';
import { showOrders } from '../show-order.ts';
import { readDates } from './read-dates.ts';

const USUAL_SIZE = 100;

/** ORD-61. */
export function listOrdersInBulkHandler(
  deps: Pick<OrderDeps, 'database' | 'vault'>,
): HandlerOf<'orders.listBulk'> {
  const tokens = pageTokens<{ at: string; guid: string }>(deps.vault, 'orders.listBulk', 'after');
  return async (request) => {
    const { restaurant, principal, query, faults } = request;
    const after = query.after === undefined ? null : tokens.open(query.after);
    const by = readDates(query, faults, { isWithinHour: false });
    const selection = { restaurantGuid: restaurant.guid, ownerGuid: readableOwner(principal), by };
    const size = query.pageSize ?? USUAL_SIZE;
    const page = query.page ?? 1;
    // Who follows the next address goes on behind the last order, whatever changed meanwhile.
    const skip = after ? 0 : (page - 1) * size;
    const found = await listOrders(deps.database.sql, selection, { limit: size + 1, skip, after });
    const rows = found.slice(0, size);
    const last = found.length > size ? rows.at(-1) : undefined;
    const next = last ? tokens.seal(placeOf(last, selection)) : null;
    return {
      json: await showOrders(deps, restaurant, rows, principal),
      headers: { link: linksOf(request, page, next) },
    };
  };
}

function placeOf({ openedAt, modifiedAt, guid }: OrderRow, { by }: OrderSelection) {
  return { at: ('businessDate' in by ? openedAt : modifiedAt).toISOString(), guid };
}

function linksOf(
  { baseUrl, sentQuery }: RequestFor<'orders.listBulk'>,
  page: number,
  next: string | null,
): string {
  const { startDate, endDate, businessDate, pageSize, after } = sentQuery;
  const addressOf = (number: number, place: string | null | undefined) => {
    const given = { startDate, endDate, businessDate, pageSize, page: String(number) };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...given, after: place })) {
      if (value) query.set(name, value);
    }
    return `${baseUrl}/orders/v2/ordersBulk?${query}`;
  };
  const links = [
    [addressOf(1, null), 'first'],
    [addressOf(page, after), 'self'],
    ...(page > 1 ? [[addressOf(page - 1, null), 'prev']] : []),
    ...(next === null ? [] : [[addressOf(page + 1, next), 'next']]),
  ];
  return links.map(([address, rel]) => `<${address}>; rel="${rel}"`).join(', ');
}
