import { stock } from '../../messages.ts';
import { hrefOf } from '../../platform/address.ts';
import { call } from '../../platform/session.ts';
import type { Screen } from '../../screens.ts';

export default {
  id: 'stock',
  label: stock.title,
  icon: 'stock',
  order: 10,
  scope: 'stock.admin:read',
  load: () => import('./stock.tsx'),
  find: async (name, restaurantGuid) => {
    if (restaurantGuid === null) return [];
    const request = { params: { restaurantGuid }, query: { name, pageSize: 8 } };
    const { results } = await call('backOffice.stock.list', request);
    return results.map((item) => ({
      label: item.name,
      detail: stock.item,
      href: hrefOf('stock', { restaurant: restaurantGuid, item: item.guid }),
    }));
  },
} satisfies Screen;
