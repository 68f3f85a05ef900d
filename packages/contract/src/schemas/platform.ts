import type { Static } from 'typebox';
import { answer, choice, orNull, text } from './field.ts';

export const HealthReport = answer('Whether the process runs, or whether the service can work.', {
  status: choice(
    'ok: the process runs. ready: the service can work. unavailable: the service cannot ' +
      'work now.',
    ['ok', 'ready', 'unavailable'],
  ),
  reason: orNull(text('Why the service cannot work now; null if it can.')),
});
export type HealthReport = Static<typeof HealthReport>;
