import type { Operation } from './operation.ts';

/** The operations of the back office on configuration as drafts and publications. */
export const draftsOperations: readonly Operation[] = [];
