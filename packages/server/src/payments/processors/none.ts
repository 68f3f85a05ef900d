import type { NotProcessed } from '@servery/card-simulator/messages.ts';
import type { Processor } from './processor.ts';

/** What an operator is told of a platform that has no processor. */
export const NO_PROCESSOR =
  'no card processor is configured, and every payment is refused with 503: set ' +
  'SERVERY_PROCESSOR_URL (docs/reference/processor-protocol.md)';

/**
 * The processor of a platform that has none. Authorizations are refused before they come here;
 * what earlier payments are due for is not done.
 */
export function noProcessor(): Processor {
  const nothing = async (): Promise<NotProcessed> => ({
    outcome: 'notProcessed',
    isUnsent: true,
    explanation: 'no processor is set: see SERVERY_PROCESSOR',
  });
  return { isAbsent: true, authorize: nothing, inquire: nothing, capture: nothing, void: nothing };
}
