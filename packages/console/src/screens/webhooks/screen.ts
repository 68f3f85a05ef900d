import { webhooks } from '../../messages.ts';
import { hrefOf } from '../../platform/address.ts';
import { call } from '../../platform/session.ts';
import type { Screen } from '../../screens.ts';

export default {
  id: 'webhooks',
  label: webhooks.title,
  icon: 'webhooks',
  order: 90,
  scope: 'webhooks:read',
  load: () => import('./webhooks.tsx'),
  find: async (text) => {
    const { results } = await call('backOffice.webhooks.endpoints.list', {
      query: { pageSize: 200 },
    });
    const wanted = text.toLocaleLowerCase();
    return results
      .filter(({ url, partnerName }) =>
        `${url} ${partnerName}`.toLocaleLowerCase().includes(wanted),
      )
      .slice(0, 5)
      .map(({ guid, url }) => ({
        label: url,
        detail: webhooks.endpoints.found,
        href: hrefOf(`webhooks/endpoints/${guid}`),
      }));
  },
} satisfies Screen;
