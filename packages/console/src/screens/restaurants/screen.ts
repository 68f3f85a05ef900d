import { restaurants } from '../../messages.ts';
import type { Screen } from '../../screens.ts';

export default {
  id: 'restaurants',
  label: restaurants.title,
  icon: 'place',
  order: 50,
  scope: 'restaurants.admin:read',
  load: () => import('./restaurants.tsx'),
} satisfies Screen;
