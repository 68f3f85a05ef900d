import { style } from '../../messages.ts';
import type { Screen } from '../../screens.ts';

export default {
  id: 'style',
  label: style.title,
  icon: 'style',
  order: null,
  scope: null,
  load: () => import('./style.tsx'),
} satisfies Screen;
