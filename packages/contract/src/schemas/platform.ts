import type { Static } from 'typebox';
import { answer, choice, orNull, text } from './field.ts';

export const HealthReport = answer('Whether the process lives, or whether the service can work.', {
  status: choice(
    'ok: the process lives. ready: the service can work. unavailable: it cannot now.',
    ['ok', 'ready', 'unavailable'],
  ),
  reason: orNull(text('Why the service cannot work now; null when it can.')),
});
export type HealthReport = Static<typeof HealthReport>;
