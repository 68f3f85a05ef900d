import type { Sql } from '../database/database.ts';
import { nextDueInstant } from '../webhooks/delivery/due-delivery-store.ts';

/** When the first of each kind is due; null if nothing is. Others may be working on it. */
export interface Waiting {
  readonly payment: Date | null;
  readonly order: Date | null;
  readonly stock: Date | null;
  readonly webhook: Date | null;
  /** In real time. */
  readonly sandbox: Date | null;
  /** An entry of the audit log is not sealed yet. */
  readonly isUnsealed: boolean;
}

/** One entry of each index, because every process asks this a few times a second. */
export async function findWaiting(sql: Sql): Promise<Waiting> {
  // Two statements in one trip: a cluster plans no recursion beside tables of its workers.
  const [[ofWorkers], [ofCoordinator]] = await Promise.all([
    sql<[Pick<Waiting, 'payment' | 'order' | 'stock'>]>`
      select
        least(
          (select due_at from payment where due_at is not null order by due_at limit 1),
          (select due_at from payment_attempt where due_at is not null order by due_at limit 1)
        ) as payment,
        (select due_at from restaurant_order
          where due_at is not null order by due_at limit 1) as order,
        (select until from stock where until is not null order by until limit 1) as stock`,
    sql<[Pick<Waiting, 'webhook' | 'sandbox' | 'isUnsealed'>]>`
      select
        (${nextDueInstant(sql)}) as webhook,
        (select min(wake_at) from sandbox where database_name is not null) as sandbox,
        exists (select from audit_unsealed) as "isUnsealed"`,
  ]);
  return { ...ofWorkers, ...ofCoordinator };
}
