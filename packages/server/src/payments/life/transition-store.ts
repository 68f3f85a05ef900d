import type { Sql } from '../../database/database.ts';

export interface TransitionRow {
  readonly from: string;
  readonly cause: string;
  readonly to: string;
}

export async function listTransitions(sql: Sql): Promise<TransitionRow[]> {
  const rows = await sql<TransitionRow[]>`
    select from_state as "from", cause, to_state as "to" from payment_transition`;
  return [...rows];
}
