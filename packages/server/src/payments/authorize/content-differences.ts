import type { Address } from './authorization-request.ts';
import type { ComparedGuest, StoredContent } from './content-store.ts';
import type { Intent } from './intent.ts';

/**
 * Names the fields of the request in which an intent differs from the payment that has its identity
 * (PAY-7), and never a value. The card is one field: its number is compared by its keyed digest, and
 * what else is encrypted is not kept, so that it is named when nothing else tells the two apart.
 * Empty when that cannot be told any more, because the guest's data were removed.
 */
export function differingFields(stored: StoredContent, { payment, guest }: Intent): string[] {
  const fields: [string, unknown, unknown][] = [
    ['cardNumberOrigin', stored.cardNumberOrigin, payment.cardNumberOrigin],
    ['willSaveCard', stored.willSaveCard, payment.willSaveCard],
    ["the restaurant's currency", stored.currencyCode, payment.currencyCode],
    ['amount', stored.amountMinor, payment.amountMinor],
    ['tipAmount', stored.tipMinor, payment.tipMinor],
    ['encryptedCardData', hexOf(stored.cardDigest), hexOf(payment.cardDigest)],
    [
      'requestMetadata.localTransactionDate',
      stored.localTransactionDate,
      payment.localTransactionDate,
    ],
    ...(stored.guest ? guestFields(stored.guest, guest) : []),
  ];
  const differing = fields.filter(([, before, now]) => before !== now).map(([name]) => name);
  return differing.length === 0 && stored.guest ? ['encryptedCardData'] : differing;
}

function hexOf(digest: Buffer): string {
  return digest.toString('hex');
}

function guestFields(before: ComparedGuest, now: ComparedGuest): [string, unknown, unknown][] {
  const addresses = ['billingAddress', 'deliveryAddress'] as const;
  return [
    ['requestMetadata.originIPAddr', before.originIpAddress, now.originIpAddress],
    ['requestMetadata.guestIdentifier', before.guestIdentifier, now.guestIdentifier],
    ['requestMetadata.guestEmail', before.guestEmail, now.guestEmail],
    ...addresses.flatMap((name) =>
      addressFields(`requestMetadata.${name}`, before[name], now[name]),
    ),
  ];
}

function addressFields(
  place: string,
  before: Address | null,
  now: Address | null,
): [string, unknown, unknown][] {
  if (!before || !now) return [[place, before, now]];
  const names = Object.keys(now) as (keyof Address)[];
  return names.map((name) => [`${place}.${name}`, before[name], now[name]]);
}
