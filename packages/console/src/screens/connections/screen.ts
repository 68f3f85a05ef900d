import { connections } from '../../messages.ts';
import type { Screen } from '../../screens.ts';

export default {
  id: 'connections',
  label: connections.title,
  icon: 'connections',
  order: 60,
  scope: 'connections:read',
  load: () => import('./connections.tsx'),
} satisfies Screen;
