import type { Sql } from '../../database/database.ts';

/** A move that the database lets a payment make. */
export interface TransitionRow {
  readonly from: string;
  readonly cause: string;
  readonly to: string;
}

/** The moves of payments that the database allows, in no order. */
export async function listTransitions(sql: Sql): Promise<TransitionRow[]> {
  const rows = await sql<TransitionRow[]>`
    select from_state as "from", cause, to_state as "to" from payment_transition`;
  return [...rows];
}
