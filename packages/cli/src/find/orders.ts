import type { BackOfficeOrder } from '@servery/contract';
import type { At } from '../command.ts';
import { type Kind, LOOKED_AT, named, oneOf } from './find.ts';

interface NamedOrder {
  readonly guid: string | null;
  readonly names: readonly (string | null)[];
}

const ORDER: Kind<NamedOrder> = {
  ...{ one: 'order', several: 'orders', listed: 'servery orders list', isWholeOnly: true },
  id: ({ guid }) => guid ?? '',
  names: ({ names }) => names,
};
const SELECTION = named('selection of this order', 'selections', 'servery orders show');

const LATEST = 100;

/** The GUID of an order, by its external ID, or by its number on the latest day that has it. */
export function findOrder(text: string, { client, given }: At): Promise<string> {
  const params = { restaurantGuid: String(given.restaurant) };
  return oneOf(ORDER, text, async () => {
    const [open, latest] = await Promise.all([
      client.list('backOffice.orders.list', { params, query: { open: true } }, LOOKED_AT),
      client.list('backOffice.orders.list', { params }, LATEST),
    ]);
    return namedOrders([...open.results, ...latest.results]);
  });
}

/** Numbers begin again each business day: one that names an order of today names no older one. */
export function namedOrders(listed: readonly BackOfficeOrder[]): NamedOrder[] {
  const orders = [...new Map(listed.map(({ order }) => [order.guid, order])).values()];
  const latest = new Map<string | null, number>();
  for (const { displayNumber, businessDate } of orders) {
    latest.set(displayNumber, Math.max(latest.get(displayNumber) ?? 0, businessDate ?? 0));
  }
  return orders.map(({ guid, displayNumber, externalId, businessDate }) => {
    const isLatest = latest.get(displayNumber) === (businessDate ?? 0);
    return { guid, names: [isLatest ? displayNumber : null, externalId] };
  });
}

/** The GUID of a top-level selection of the order that was named before, by what was ordered. */
export function findSelection(text: string, at: At): Promise<string> {
  return oneOf(SELECTION, text, async () => await selectionsOf(at));
}

async function selectionsOf({ client, given }: At) {
  const params = { restaurantGuid: String(given.restaurant), orderGuid: String(given.order) };
  const { order } = await client.call('backOffice.orders.get', { params });
  return order.checks
    .flatMap(({ selections }) => selections)
    .filter(({ voided }) => !voided)
    .map(({ guid, displayName }) => ({ guid: guid ?? '', name: displayName }));
}
