import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { wireState } from '../life/lifecycle.ts';
import type { PaymentRow } from '../life/store.ts';
import type { Address } from './authorization-request.ts';
import { type ComparedGuest, findContent, type StoredContent } from './content-store.ts';
import type { Intent } from './intent.ts';

/** The setting `payments.repeat`: answer identical repeats, or refuse every repeat. */
export type RepeatMode = 'replay' | 'conflict';

const REPEAT = { rule: 'PAY-7' };

export interface RepeatFacts {
  readonly intent: Intent;
  readonly mode: RepeatMode;
}

/**
 * Decides about a PUT whose paymentUuid exists (PAY-7): `show` the payment, or authorize it `again`
 * because the earlier attempt had no effect. Throws ApiError `conflict` for another client, other
 * content, a payment that was changed since, and in the mode `conflict` for every repeat of an
 * attempted payment.
 */
export async function judgeRepeat(
  { sql }: Pick<Database, 'sql'>,
  payment: PaymentRow,
  facts: RepeatFacts,
): Promise<'show' | 'again'> {
  const { payment: repeated } = facts.intent;
  // Another client learns only that the identifier is taken.
  if (payment.clientId !== repeated.clientId) throw taken();
  if (!timingSafeEqual(payment.contentDigest, repeated.contentDigest)) {
    throw otherContent(differingFields(await findContent(sql, payment), facts.intent));
  }
  if (payment.state === 'ABORTED') return 'again';
  if (facts.mode === 'conflict') throw taken();
  if (wireState(payment) === null) throw changedSince();
  return 'show';
}

/** Names fields only, because values may be card data. */
function otherContent(fields: readonly string[]): ApiError {
  const named = fields.length === 0 ? '' : ` These differ: ${fields.join(', ')}.`;
  const message = 'is not what the payment of this paymentUuid was sent with.';
  return new ApiError(
    'conflict',
    `This paymentUuid was used for a payment with other content.${named} ` +
      'Repeat a payment unchanged, or generate a new paymentUuid.',
    { faults: fields.map((where) => ({ where, message })), notes: REPEAT },
  );
}

/** For example by a void (PAY-7). */
export function changedSince(): ApiError {
  return new ApiError(
    'conflict',
    'This payment was changed since, for example voided or captured. For a new payment generate ' +
      'a new paymentUuid.',
    { notes: REPEAT },
  );
}

function taken(): ApiError {
  return new ApiError(
    'conflict',
    'This paymentUuid was used before. Generate a unique one for each payment.',
    { notes: REPEAT },
  );
}

/**
 * Names the fields that differ (PAY-7), never their values. The card is one field. It is also named
 * when nothing else differs, because other encrypted values aren't stored. Empty when the guest's
 * data was removed: then nobody can tell.
 */
function differingFields(stored: StoredContent, { payment, guest }: Intent): string[] {
  const fields: [string, unknown, unknown][] = [
    ['cardNumberOrigin', stored.cardNumberOrigin, payment.cardNumberOrigin],
    ['willSaveCard', stored.willSaveCard, payment.willSaveCard],
    ["the restaurant's currency", stored.currencyCode, payment.currencyCode],
    ['amount', stored.amountMinor, payment.amountMinor],
    ['tipAmount', stored.tipMinor, payment.tipMinor],
    ['encryptedCardData', stored.cardDigest.toString('hex'), payment.cardDigest.toString('hex')],
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
