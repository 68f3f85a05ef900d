import { audit } from '../../messages.ts';
import { hrefOf } from '../../platform/address.ts';
import { GUID } from '../../platform/guid.ts';
import { call } from '../../platform/session.ts';
import type { Screen } from '../../screens.ts';

export default {
  id: 'audit',
  label: audit.title,
  icon: 'audit',
  order: 120,
  scope: 'audit:read',
  load: () => import('./audit.tsx'),
  find: async (text) => {
    if (!GUID.test(text)) return [];
    const query = { subjectId: text, pageSize: 1 };
    const { results } = await call('backOffice.audit.list', { query });
    return results.map(({ subjectKind }) => ({
      label: audit.changesOf(audit.kinds[subjectKind]),
      detail: audit.title,
      href: hrefOf('audit', { object: text }),
    }));
  },
} satisfies Screen;
