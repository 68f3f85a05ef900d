import type { Operation } from './operation.ts';

/** The operations of the back office on the record of changes. */
export const auditOperations: readonly Operation[] = [];
