import type { OperationId } from '@servery/contract';

/**
 * Operations, by what their ids begin with, whose handlers read path, query and body themselves:
 * the pipeline checks the sizes alone. Take a line out when its handlers are typed.
 */
const ownReaders = ['backOffice.restaurants.create', 'backOffice.restaurants.update'] as const;

/** The operations of those handlers. */
export type OwnReaderId = Extract<OperationId, `${(typeof ownReaders)[number]}${string}`>;

/** Whether the handler of an operation reads the request itself. */
export const hasOwnReaders = (id: OperationId): boolean =>
  ownReaders.some((start) => id.startsWith(start));
