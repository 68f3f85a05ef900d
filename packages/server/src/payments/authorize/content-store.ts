import type { Sql } from '../../database/database.ts';
import type { PaymentKey } from '../life/store.ts';
import type { Guest } from './authorization-request.ts';
import type { NewPayment } from './intent.ts';

export interface StoredContent
  extends Pick<
    NewPayment,
    | 'cardDigest'
    | 'cardNumberOrigin'
    | 'willSaveCard'
    | 'currencyCode'
    | 'amountMinor'
    | 'tipMinor'
    | 'localTransactionDate'
  > {
  readonly guest: ComparedGuest | null;
}

/** The guest data that distinguishes payments (PAY-7). */
export type ComparedGuest = Pick<
  Guest,
  'originIpAddress' | 'guestIdentifier' | 'guestEmail' | 'billingAddress' | 'deliveryAddress'
>;

export async function findContent(sql: Sql, key: PaymentKey): Promise<StoredContent> {
  const [row] = await sql<StoredContent[]>`
    select p.card_digest as "cardDigest", p.card_number_origin as "cardNumberOrigin",
      p.will_save_card as "willSaveCard", p.currency_code as "currencyCode",
      p.amount_minor as "amountMinor", p.tip_minor as "tipMinor",
      p.local_transaction_date as "localTransactionDate",
      case when g.merchant_guid is not null then json_build_object(
        'originIpAddress', g.origin_ip_address, 'guestIdentifier', g.guest_identifier,
        'guestEmail', g.guest_email, 'billingAddress', g.billing_address,
        'deliveryAddress', g.delivery_address) end as guest
    from payment p
    left join payment_guest g
      on g.merchant_guid = p.merchant_guid and g.payment_uuid = p.payment_uuid
    where p.merchant_guid = ${key.merchantGuid} and p.payment_uuid = ${key.paymentUuid}`;
  if (!row) throw new Error(`payment ${key.paymentUuid} is gone`);
  return row;
}
