import type { Operation } from './operation.ts';

/** The operations of the back office on connections of restaurants and partners. */
export const connectionsOperations: readonly Operation[] = [];
