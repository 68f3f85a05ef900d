import type { Operation } from './operation.ts';

/** The operations of the back office on stock by any name, its history. */
export const stockAdminOperations: readonly Operation[] = [];
