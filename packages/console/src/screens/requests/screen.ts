import { requests } from '../../messages.ts';
import { hrefOf } from '../../platform/address.ts';
import { GUID } from '../../platform/guid.ts';
import { call } from '../../platform/session.ts';
import type { Screen } from '../../screens.ts';

export default {
  id: 'requests',
  label: requests.title,
  icon: 'requests',
  order: 80,
  scope: 'requests:read',
  load: () => import('./requests.tsx'),
  find: async (text) => {
    if (!GUID.test(text)) return [];
    const { results } = await call('backOffice.requests.list', { query: { requestId: text } });
    return results.map(({ requestId, method, path, status }) => ({
      label: `${method} ${path}`,
      detail: String(status),
      href: hrefOf(`requests/${requestId}`),
    }));
  },
} satisfies Screen;
