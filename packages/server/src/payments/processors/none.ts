import type { NotProcessed, Processor } from '../processor.ts';

/**
 * The processor of a platform that has none: it does nothing and says so, so that every
 * authorization is refused before any money could be held.
 */
export function noProcessor(): Processor {
  const explanation = 'no processor is set: see SERVERY_PROCESSOR';
  const nothing = async (): Promise<NotProcessed> => ({
    outcome: 'notProcessed',
    isUnsent: true,
    explanation,
  });
  return { authorize: nothing, inquire: nothing, capture: nothing, void: nothing };
}
