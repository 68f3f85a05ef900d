import { account } from '../../messages.ts';
import type { Screen } from '../../screens.ts';

export default {
  id: 'account',
  label: account.title,
  icon: 'person',
  order: null,
  scope: null,
  load: () => import('./account.tsx'),
} satisfies Screen;
