import type { Sql } from '../../database/database.ts';
import type { unsettledStates } from '../life/lifecycle.ts';

export interface Unsettled {
  readonly state: (typeof unsettledStates)[number];
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
