import { randomBytes, randomUUID } from 'node:crypto';
import { guestFields, type LoggedRequestDetails, type Operation } from '@servery/contract';
import { nearestNames } from '@servery/support/nearest-names.ts';
import type { Faults } from '../../http/faults.ts';
import { LEFT_OUT } from '../../text/clean-text.ts';
import { movedInstant } from './instants.ts';
import { type RequestPlace, WHOLE_BODY } from './places.ts';
import type { BillingPlace, EncryptedCard, TestCard } from './ports.ts';

export interface CardChoice {
  readonly card: TestCard;
  /** Whether the caller gives the key. */
  readonly keepsKey: boolean;
  /** Whether the caller gives the date, or the identifier of a payment that this may be a repeat of. */
  readonly keepsDate: boolean;
}

interface Asked {
  readonly asked: string | undefined;
  readonly set: Readonly<Record<string, unknown>>;
  readonly cards: readonly TestCard[];
}

const CARD_DATA = 'encryptedCardData';
const METADATA = 'requestMetadata';
const PLACES_OF_DATE = ['paymentUuid', WHOLE_BODY, METADATA, `${METADATA}.localTransactionDate`];
/** Of test cards: a sandbox accepts any. */
const USUAL_PLACE: BillingPlace = { zipCode: '60607', country: 'USA' };

/** Null for a request without a card. Notes a fault for a card that doesn't exist. */
export function chooseCard(
  logged: LoggedRequestDetails,
  operation: Operation | null,
  { asked, set, cards }: Asked,
  faults: Faults,
): CardChoice | null {
  const whole = set[WHOLE_BODY];
  const isGiven = Object.hasOwn(set, CARD_DATA) || (isObject(whole) && CARD_DATA in whole);
  const isPayment = operation?.id === 'creditCards.authorize';
  if (!isPayment || isGiven) {
    const why = isPayment ? `set gives ${CARD_DATA}` : 'the request is no payment by card';
    if (asked !== undefined) faults.add(['card'], `must be left out: ${why}`);
    return null;
  }
  const keepsKey = Object.hasOwn(set, 'keyId');
  const keepsDate = PLACES_OF_DATE.some((place) => Object.hasOwn(set, place));
  const usual = cardOf(logged, cards);
  const card = asked === undefined ? usual : named(asked, cards);
  if (!card) {
    // An error never repeats a number.
    const near = nearestNames(
      asked ?? '',
      cards.map(({ description }) => description),
    );
    const meant = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
    const what = `must be the number or the description of a test card.${meant}`;
    faults.add(['card'], `${what} \`servery cards\` lists them all`);
  }
  return { card: card ?? usual, keepsKey, keepsDate };
}

function named(asked: string, cards: readonly TestCard[]): TestCard | undefined {
  const wanted = asked.toLowerCase();
  return cards.find(
    ({ number, description }) => number === asked || description.toLowerCase() === wanted,
  );
}

/** The one of the logged payment if that was a test card, else the first, which is approved. */
function cardOf(
  { explanation, requestBody }: LoggedRequestDetails,
  cards: readonly TestCard[],
): TestCard {
  const shown = explanation?.payment?.testCard ?? null;
  const alike = cards.filter(({ description }) => description === shown);
  const [, last4 = ''] = /"cardLast4":"(\d{4})"/.exec(requestBody ?? '') ?? [];
  return alike.find(({ number }) => number.endsWith(last4)) ?? alike[0] ?? (cards[0] as TestCard);
}

type Fields = Record<string, unknown>;

interface Paying {
  readonly params: Record<string, string>;
  readonly body: unknown;
  readonly missing: readonly RequestPlace[];
}

/**
 * Makes it a new payment of a test guest by that card, but for the encrypted data: a repeat would
 * need the card and the guest, which the log doesn't have. Gives what is still missing.
 */
export function putCard({ params, body, missing }: Paying, { card }: CardChoice): RequestPlace[] {
  params.paymentUuid = randomUUID();
  const metadata = metadataOf(body);
  if (!metadata) return [...missing];
  (body as Fields)[CARD_DATA] = '';
  metadata.cardFirst6 = card.number.slice(0, 6);
  metadata.cardLast4 = card.number.slice(-4);
  const guest = testGuest();
  for (const name of guestFields) {
    if (metadata[name] !== LEFT_OUT) continue;
    if (name in guest) metadata[name] = guest[name];
    else delete metadata[name];
  }
  const known = [...guestFields, 'cardFirst6', 'cardLast4'];
  return missing.filter((place) => {
    const [first, second] = place.kind === 'body' ? place.path : [];
    return first !== CARD_DATA && first !== 'keyId' && !known.includes(`${second}`);
  });
}

/** Another one each time: payments of one guest are limited. The address is one of documentation. */
function testGuest(): Fields {
  const id = randomBytes(4).toString('hex');
  const { zipCode: postalCode, country } = USUAL_PLACE;
  return {
    originIPAddr: `2001:db8:${id.slice(0, 4)}:${id.slice(4)}::1`,
    guestIdentifier: `replay-${id}`,
    partnerServiceInfo: { instanceId: 'replay' },
    billingAddress: { postalCode, country },
  };
}

/** The card's own data must repeat it. */
export function billingPlaceOf(body: unknown): BillingPlace {
  const { postalCode, country } = (metadataOf(body)?.billingAddress ?? {}) as Fields;
  return {
    zipCode: typeof postalCode === 'string' ? postalCode : USUAL_PLACE.zipCode,
    country: typeof country === 'string' ? country : USUAL_PLACE.country,
  };
}

/** A new payment is presented as long before the target's present as the logged one was. */
export function presentAnew(
  { body }: Pick<Paying, 'body'>,
  { keepsDate }: CardChoice,
  laterMs: number,
): void {
  const metadata = metadataOf(body);
  if (!metadata || keepsDate) return;
  const date = metadata.localTransactionDate;
  const moved = typeof date === 'string' ? movedInstant(date, laterMs) : null;
  if (moved !== null) metadata.localTransactionDate = moved;
}

export function withEncryptedCard(
  body: unknown,
  { keepsKey }: CardChoice,
  { keyId, encryptedCardData }: EncryptedCard,
): unknown {
  return { ...(body as Fields), encryptedCardData, ...(!keepsKey && { keyId }) };
}

function metadataOf(body: unknown): Fields | null {
  const metadata = isObject(body) ? body[METADATA] : null;
  return isObject(metadata) ? metadata : null;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
