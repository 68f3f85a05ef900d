import type { Sql } from '../../database/database.ts';
import type { PaymentState } from '../life/lifecycle.ts';

/** Only the processor ends these states, so a payment that stays long is stuck. */
export const unsettledStates = [
  'PENDING',
  'UNKNOWN',
  'REVERSAL_PENDING',
  'CAPTURE_PENDING',
  'VOID_PENDING',
] as const satisfies readonly PaymentState[];

type UnsettledState = (typeof unsettledStates)[number];

export interface Unsettled {
  readonly state: UnsettledState;
  readonly count: number;
  readonly oldest: Date;
}

/** The states are written out so that PostgreSQL can use their index. */
export async function listUnsettled(sql: Sql): Promise<Unsettled[]> {
  return await sql<Unsettled[]>`
    select state, count(*)::int as count, min(modified_at) as oldest from payment
    where state in ('PENDING', 'UNKNOWN', 'REVERSAL_PENDING', 'CAPTURE_PENDING', 'VOID_PENDING')
    group by state`;
}
