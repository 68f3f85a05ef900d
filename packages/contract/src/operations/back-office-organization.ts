import type { Operation } from './operation.ts';

/** The operations of the back office on management groups and restaurants. */
export const organizationOperations: readonly Operation[] = [];
