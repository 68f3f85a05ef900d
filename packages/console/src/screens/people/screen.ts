import { people } from '../../messages.ts';
import type { Screen } from '../../screens.ts';

export default {
  id: 'people',
  label: people.title,
  icon: 'person',
  order: 70,
  scope: 'people:read',
  load: () => import('./people.tsx'),
} satisfies Screen;
