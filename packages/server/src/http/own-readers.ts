import type { OperationId } from '@servery/contract';

/**
 * Their handlers read path, query and body themselves; the pipeline checks only sizes. Remove a
 * line when its handlers are typed.
 */
const ownReaders = ['backOffice.restaurants.create', 'backOffice.restaurants.update'] as const;

export type OwnReaderId = Extract<OperationId, `${(typeof ownReaders)[number]}${string}`>;

export const hasOwnReaders = (id: OperationId): boolean =>
  ownReaders.some((start) => id.startsWith(start));
