import type { Operation } from './operation.ts';

/** The operations of the back office on partners, API accounts and their usage. */
export const clientsOperations: readonly Operation[] = [];
