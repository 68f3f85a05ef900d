import type { Operation } from './operation.ts';

/** The operations of the back office on the log of requests. */
export const requestsOperations: readonly Operation[] = [];
