import type { Operation } from './operation.ts';

/** The operations of the back office on people, their roles, sessions and invitations. */
export const peopleOperations: readonly Operation[] = [];
