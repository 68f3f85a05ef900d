import type { Sql } from '../../src/database/database.ts';
import type { PaymentKey } from '../../src/payments/life/store.ts';

/**
 * Copies a payment and its attempt as often as said to each of the merchants, due one second after
 * the other. For a transaction that is rolled back: copies have no history, which nothing may see.
 */
export async function insertOpenCopies(
  sql: Sql,
  { merchantGuid: from, paymentUuid }: PaymentKey,
  merchantGuids: readonly string[],
  count: number,
): Promise<void> {
  await sql`set local session_replication_role = replica`;
  await sql`
    insert into payment select copy.* from payment p
    cross join unnest(${[...merchantGuids]}::uuid[]) as merchant
    cross join generate_series(1, ${count}) as second
    cross join lateral jsonb_populate_record(p, jsonb_build_object('merchant_guid',
      merchant, 'payment_uuid', gen_random_uuid(), 'payment_id', gen_random_uuid(),
      'due_at', p.due_at + second * interval '1 second')) as copy
    where p.merchant_guid = ${from} and p.payment_uuid = ${paymentUuid}`;
  await sql`
    insert into payment_attempt (merchant_guid, payment_uuid, attempt, processor_key, started_at,
      due_at)
    select merchant_guid, payment_uuid, 1, 'auth:' || payment_id || ':1', created_at, due_at
    from payment where merchant_guid = any(${[...merchantGuids]}::uuid[])`;
  await sql`analyze payment`;
  await sql`analyze payment_attempt`;
}

/** Locks a payment until the transaction ends. Throws if another one has it. */
export async function lockPayment(sql: Sql, key: PaymentKey): Promise<void> {
  await sql`
    select from payment
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}
    for update nowait`;
}
