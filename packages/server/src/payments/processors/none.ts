import type { NotProcessed } from '@servery/card-simulator/messages.ts';
import type { Processor } from './processor.ts';

export const NO_PROCESSOR =
  'no card processor is configured, and every payment is refused with 503: set ' +
  'SERVERY_PROCESSOR_URL (docs/reference/processor-protocol.md)';

/** Authorizations are refused before they get here; due work on earlier payments isn't done. */
export function noProcessor(): Processor {
  const nothing = async (): Promise<NotProcessed> => ({
    outcome: 'notProcessed',
    isUnsent: true,
    explanation: 'no processor is set: see SERVERY_PROCESSOR',
  });
  return { isAbsent: true, authorize: nothing, inquire: nothing, capture: nothing, void: nothing };
}
