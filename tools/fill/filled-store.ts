import type { Sql } from '@servery/server/db/database.ts';

/** Which payments there are and how they stand, in the order of their restaurants. */
export async function listFilledPayments(
  sql: Sql,
): Promise<{ merchantGuid: string; paymentUuid: string; state: string }[]> {
  return await sql<{ merchantGuid: string; paymentUuid: string; state: string }[]>`
    select merchant_guid as "merchantGuid", payment_uuid as "paymentUuid", state from payment
    order by merchant_guid, payment_uuid`;
}
