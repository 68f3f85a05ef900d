import { accounts } from '../../messages.ts';
import { hrefOf } from '../../platform/address.ts';
import { call } from '../../platform/session.ts';
import type { Screen } from '../../screens.ts';

export default {
  id: 'accounts',
  label: accounts.title,
  icon: 'accounts',
  order: 100,
  scope: 'clients:read',
  load: () => import('./accounts.tsx'),
  find: async (name) => {
    const { results } = await call('backOffice.clients.list', { query: { name, pageSize: 5 } });
    return results.map((client) => ({
      label: client.name,
      detail: accounts.found,
      href: hrefOf(`accounts/${client.clientId}`),
    }));
  },
} satisfies Screen;
