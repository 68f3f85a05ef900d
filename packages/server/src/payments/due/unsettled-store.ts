import type { Sql } from '../../database/database.ts';
import type { PaymentState } from '../life/lifecycle.ts';

/** The states that only the processor ends: whoever is in one for long is stuck. */
export const unsettledStates = [
  'PENDING',
  'UNKNOWN',
  'REVERSAL_PENDING',
  'CAPTURE_PENDING',
  'VOID_PENDING',
] as const satisfies readonly PaymentState[];

/** One of these states. */
export type UnsettledState = (typeof unsettledStates)[number];

/** The payments of a state: how many, and since when the longest is in it. */
export interface Unsettled {
  readonly state: UnsettledState;
  readonly count: number;
  readonly oldest: Date;
}

/**
 * Counts the payments that wait for the processor, whenever they are tried next; a state without
 * any is left out. The states are written out, so that their index can be used.
 */
export async function listUnsettled(sql: Sql): Promise<Unsettled[]> {
  return await sql<Unsettled[]>`
    select state, count(*)::int as count, min(modified_at) as oldest from payment
    where state in ('PENDING', 'UNKNOWN', 'REVERSAL_PENDING', 'CAPTURE_PENDING', 'VOID_PENDING')
    group by state`;
}
