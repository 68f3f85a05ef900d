import { health } from '../../messages.ts';
import type { Screen } from '../../screens.ts';

export default {
  id: 'health',
  label: health.title,
  icon: 'health',
  order: 130,
  scope: 'metrics:read',
  load: () => import('./health.tsx'),
} satisfies Screen;
