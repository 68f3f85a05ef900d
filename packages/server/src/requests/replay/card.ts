import type { LoggedRequestDetails, Operation } from '@servery/contract';
import type { Faults } from '../../http/faults.ts';
import { LEFT_OUT } from '../../text/clean-text.ts';
import { type RequestPlace, WHOLE_BODY } from './places.ts';
import type { BillingPlace, EncryptedCard, TestCard } from './ports.ts';

export interface CardChoice {
  readonly card: TestCard;
  /** Whether the caller gives the key. */
  readonly keepsKey: boolean;
}

interface Asked {
  readonly asked: string | undefined;
  readonly set: Readonly<Record<string, unknown>>;
  readonly cards: readonly TestCard[];
}

const CARD_DATA = 'encryptedCardData';
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
  const usual = cardOf(logged, cards);
  const card = asked === undefined ? usual : named(asked, cards);
  if (!card) {
    const known = new Set(cards.map(({ description }) => description));
    // An error never repeats a number.
    const what = `must be the number of a test card, or what it shows: ${[...known].join('; ')}`;
    faults.add(['card'], what);
  }
  return { card: card ?? usual, keepsKey };
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
  body: unknown;
  readonly missing: readonly RequestPlace[];
}

/** Puts all that a card determines but its encrypted data; gives what is still missing. */
export function putCard({ body, missing }: Paying, { card }: CardChoice): RequestPlace[] {
  const metadata = metadataOf(body);
  if (!metadata) return [...missing];
  (body as Fields)[CARD_DATA] = '';
  metadata.cardFirst6 = card.number.slice(0, 6);
  metadata.cardLast4 = card.number.slice(-4);
  if (metadata.billingAddress === LEFT_OUT) {
    const { zipCode: postalCode, country } = USUAL_PLACE;
    metadata.billingAddress = { postalCode, country };
  }
  const ofCard = ['billingAddress', 'cardFirst6', 'cardLast4'];
  return missing.filter((place) => {
    const [first, second] = place.kind === 'body' ? place.path : [];
    return first !== CARD_DATA && first !== 'keyId' && !ofCard.includes(`${second}`);
  });
}

/** The card's own data must repeat it. */
export function billingPlaceOf(body: unknown): BillingPlace {
  const { postalCode, country } = (metadataOf(body)?.billingAddress ?? {}) as Fields;
  return {
    zipCode: typeof postalCode === 'string' ? postalCode : USUAL_PLACE.zipCode,
    country: typeof country === 'string' ? country : USUAL_PLACE.country,
  };
}

export function withEncryptedCard(
  body: unknown,
  { keepsKey }: CardChoice,
  { keyId, encryptedCardData }: EncryptedCard,
): unknown {
  return { ...(body as Fields), encryptedCardData, ...(!keepsKey && { keyId }) };
}

function metadataOf(body: unknown): Fields | null {
  const metadata = isObject(body) ? body.requestMetadata : null;
  return isObject(metadata) ? metadata : null;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
