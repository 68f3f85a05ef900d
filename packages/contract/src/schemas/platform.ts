import Type, { type Static } from 'typebox';
import { answer, choice } from './field.ts';

const state = choice('ok, or unavailable.', ['ok', 'unavailable']);

/** Whether the service works, and each part that it needs. */
export const HealthReport = answer('Whether the service works.', {
  status: choice('ok when every check is; else unavailable.', ['ok', 'unavailable']),
  checks: Type.Unsafe<Record<string, Static<typeof state>>>({
    type: 'object',
    description: 'Each part that the service needs, by its name.',
    additionalProperties: state,
  }),
});
/** Whether the service works, and each part that it needs. */
export type HealthReport = Static<typeof HealthReport>;
