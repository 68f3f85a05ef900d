import type { BackOfficeOrder } from '@servery/contract';
import type { At } from '../command.ts';
import { type Kind, LOOKED_AT, named, namedBy, oneOf } from './find.ts';

const ORDER: Kind<BackOfficeOrder> = {
  ...{ one: 'order', several: 'orders', listed: 'servery orders list', isWholeOnly: true },
  id: ({ order }) => order.guid ?? '',
  names: ({ order }) => [order.displayNumber, order.externalId],
};
const SELECTION = named('selection of this order', 'selections', 'servery orders show');

const LATEST = 100;

/** The GUID of an order, by its number or external ID. Open orders first: numbers begin anew daily. */
export function findOrder(text: string, { client, given }: At): Promise<string> {
  const params = { restaurantGuid: String(given.restaurant) };
  return oneOf(ORDER, text, async () => {
    const open = await client.list(
      'backOffice.orders.list',
      { params, query: { open: true } },
      LOOKED_AT,
    );
    if (namedBy(ORDER, text, open.results).found.length > 0) return open.results;
    return (await client.list('backOffice.orders.list', { params }, LATEST)).results;
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
