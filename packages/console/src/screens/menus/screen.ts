import { menus } from '../../messages.ts';
import { hrefOf } from '../../platform/address.ts';
import { call } from '../../platform/session.ts';
import type { Screen } from '../../screens.ts';

export default {
  id: 'menus',
  label: menus.title,
  icon: 'menus',
  order: 30,
  scope: 'configuration:read',
  load: () => import('./menus.tsx'),
  find: async (name, restaurantGuid) => {
    if (restaurantGuid === null) return [];
    const params = { restaurantGuid, collection: 'menuItems' };
    const query = { name, archived: false, pageSize: 8 };
    const { results } = await call('backOffice.configuration.objects.list', { params, query });
    return results.map((item) => ({
      label: item.name ?? '',
      detail: menus.found,
      href: hrefOf(`menus/menuItems/${item.guid}`, { restaurant: restaurantGuid }),
    }));
  },
} satisfies Screen;
