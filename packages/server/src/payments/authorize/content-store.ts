import type { Sql } from '../../database/database.ts';
import type { GuestRow, NewPayment, PaymentKey } from '../life/store.ts';

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
  GuestRow,
  'originIpAddress' | 'guestIdentifier' | 'guestEmail' | 'billingAddress' | 'deliveryAddress'
>;

export async function findContent(sql: Sql, key: PaymentKey): Promise<StoredContent> {
  const [row] = await sql<(Omit<StoredContent, 'guest'> & Partial<ComparedGuest>)[]>`
    select p.card_digest as "cardDigest", p.card_number_origin as "cardNumberOrigin",
      p.will_save_card as "willSaveCard", p.currency_code as "currencyCode",
      p.amount_minor as "amountMinor", p.tip_minor as "tipMinor",
      p.local_transaction_date as "localTransactionDate",
      g.origin_ip_address as "originIpAddress", g.guest_identifier as "guestIdentifier",
      g.guest_email as "guestEmail", g.billing_address as "billingAddress",
      g.delivery_address as "deliveryAddress"
    from payment p
    left join payment_guest g
      on g.merchant_guid = p.merchant_guid and g.payment_uuid = p.payment_uuid
    where p.merchant_guid = ${key.merchantGuid} and p.payment_uuid = ${key.paymentUuid}`;
  if (!row) throw new Error(`payment ${key.paymentUuid} is gone`);
  const { originIpAddress, guestIdentifier, guestEmail, billingAddress, deliveryAddress } = row;
  const isKept = originIpAddress && guestIdentifier && billingAddress;
  const guest = isKept
    ? {
        ...{ originIpAddress, guestIdentifier, billingAddress },
        guestEmail: guestEmail ?? null,
        deliveryAddress: deliveryAddress ?? null,
      }
    : null;
  return { ...row, guest };
}
