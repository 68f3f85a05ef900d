import { newGuid } from '@servery/support/ids.ts';
import type { Sql } from '../../src/database/database.ts';

/** The identifier of the only secret of an account. */
export async function findSecretGuid(sql: Sql, clientId: string): Promise<string> {
  const [row] = await sql<[{ guid: string }]>`
    select guid from client_secret where client_id = ${clientId}`;
  return row.guid;
}

/** A payment that was denied, which nothing waits for, and an alarm about it. */
export interface TestPayment {
  readonly paymentUuid: string;
  readonly alarmGuid: string;
}

/** Inserts a denied payment at a restaurant, and an alarm about it. */
export async function insertDeniedPayment(
  sql: Sql,
  { merchantGuid, clientId }: { merchantGuid: string; clientId: string },
  now: Date,
): Promise<TestPayment> {
  const [paymentUuid, alarmGuid] = [newGuid(), newGuid()];
  await sql`
    insert into payment_event (merchant_guid, payment_uuid, version, from_state, cause, to_state,
      attempt, occurred_at, guid)
    values (${merchantGuid}, ${paymentUuid}, 1, 'NEW', 'riskRefused', 'DENIED', 0, ${now},
      gen_random_uuid())`;
  await sql`
    insert into payment (merchant_guid, payment_uuid, payment_id, client_id, state, version,
      attempt, content_digest, currency_code, amount_minor, tip_minor, card_number_origin,
      will_save_card, card_brand, card_first6, card_last4, card_digest, local_transaction_date,
      denial_reason, created_at, modified_at, event_digest)
    select ${merchantGuid}, ${paymentUuid}, ${newGuid()}, ${clientId}, 'DENIED', 1, 0, sha256('a'),
      'USD', 100, 0, 'END_USER', false, 'VISA', '411111', '1111', sha256('b'),
      '2026-03-01', 'No.', ${now}, ${now}, digest
    from payment_event where merchant_guid = ${merchantGuid} and payment_uuid = ${paymentUuid}`;
  await sql`
    insert into payment_alarm (merchant_guid, guid, payment_uuid, kind, attempt, payment_state,
      explanation, raised_at)
    values (${merchantGuid}, ${alarmGuid}, ${paymentUuid}, 'UNSETTLED', 0, 'DENIED', 'A test.',
      ${now})`;
  return { paymentUuid, alarmGuid };
}
