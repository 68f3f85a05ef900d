import type { Sql } from '../database/database.ts';

export const orderWaits = ['approval', 'time', 'fulfillment'] as const;
type OrderWait = (typeof orderWaits)[number];

export interface WaitingOrders {
  readonly kind: OrderWait;
  readonly count: number;
  /** When the first of them began to wait, or will. */
  readonly oldest: Date;
}

/** Only orders that something is due about are looked at: there is an index of them. */
export async function listWaitingOrders(sql: Sql): Promise<WaitingOrders[]> {
  return await sql<WaitingOrders[]>`
    select kind, count(*)::integer as count, min(since) as oldest
    from (
      select case approval_status when 'NEEDS_APPROVAL' then 'approval' when 'FUTURE' then 'time'
          else 'fulfillment' end as kind,
        case approval_status when 'NEEDS_APPROVAL' then created_at else fire_at end as since
      from restaurant_order where due_at is not null) as waiting
    group by kind`;
}
