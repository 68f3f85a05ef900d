import { ApiError } from '../../http/errors.ts';
import type { HandlerOf, RequestFor } from '../../http/operation.ts';
import { listOrders, type OrderPlace, type OrderSelection } from '../find-orders-store.ts';
import type { OrderRow } from '../order.ts';
import type { OrderDeps } from '../order-deps.ts';
import { readableOwner } from '../reach-orders.ts';
import { showOrders } from '../show-order.ts';
import { readDates } from './read-dates.ts';

const USUAL_SIZE = 100;

/** ORD-61. */
export function listOrdersInBulkHandler(
  deps: Pick<OrderDeps, 'database'>,
): HandlerOf<'orders.listBulk'> {
  return async (request) => {
    const { restaurant, principal, query, faults } = request;
    const after = readPlace(query.after);
    if (query.after !== undefined && !after) {
      faults.add(
        ['after'],
        'must be taken from the next address in the Link header of an earlier response',
      );
    }
    const by = readDates(query, faults, { isWithinHour: false });
    const selection = { restaurantGuid: restaurant.guid, ownerGuid: readableOwner(principal), by };
    const size = query.pageSize ?? USUAL_SIZE;
    const page = query.page ?? 1;
    // Who follows the next address goes on behind the last order, whatever changed meanwhile.
    const skip = after ? 0 : (page - 1) * size;
    const found = await listOrders(deps.database.sql, selection, { limit: size + 1, skip, after });
    const rows = found.slice(0, size);
    const next = found.length > size ? placeOf(rows.at(-1), selection) : null;
    return {
      json: await showOrders(deps, restaurant, rows, principal),
      headers: { link: linksOf(request, page, next) },
    };
  };
}

/** `sort time;guid` in base64url. */
function placeOf(row: OrderRow | undefined, { by }: OrderSelection): string {
  if (!row) throw new ApiError('internal', 'a page with a next one is empty');
  const at = 'businessDate' in by ? row.openedAt : row.modifiedAt;
  return Buffer.from(`${at.getTime()};${row.guid}`).toString('base64url');
}

const PLACE = /^(\d{1,15});([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

function readPlace(text: string | undefined): OrderPlace | null {
  if (text === undefined) return null;
  const [, at, guid] = PLACE.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return at && guid ? { at: new Date(Number(at)), guid } : null;
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
