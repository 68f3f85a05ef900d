import { orders } from '../../messages.ts';
import { hrefOf } from '../../platform/address.ts';
import { call } from '../../platform/session.ts';
import type { Screen } from '../../screens.ts';

/** The number of an order, or an identifier as partners write them: `shop:1001`. */
const NUMBER = /^#?\d{1,6}$/;
const EXTERNAL_ID = /:./;
const LOOKED_AT = 100;
const SHOWN = 5;

export default {
  id: 'orders',
  label: orders.title,
  icon: 'orders',
  order: 15,
  scope: 'orders.admin:read',
  load: () => import('./orders.tsx'),
  // The interface has no search: the newest orders of the chosen restaurant are looked at.
  find: async (text, restaurantGuid) => {
    if (restaurantGuid === null || !(NUMBER.test(text) || EXTERNAL_ID.test(text))) return [];
    const request = { params: { restaurantGuid }, query: { pageSize: LOOKED_AT } };
    const { results } = await call('backOffice.orders.list', request);
    const number = text.replace('#', '');
    return results
      .filter(
        ({ order }) =>
          order.displayNumber === number ||
          order.externalId?.toLowerCase().endsWith(text.toLowerCase()),
      )
      .slice(0, SHOWN)
      .map(({ order }) => ({
        label: orders.number(order.displayNumber),
        detail: order.externalId ?? orders.one,
        href: hrefOf(`orders/${restaurantGuid}/${order.guid}`, { restaurant: restaurantGuid }),
      }));
  },
} satisfies Screen;
