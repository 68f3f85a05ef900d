import { randomUUID } from 'node:crypto';
import type { Answer } from './answer.ts';
import { type CardData, cardDataOf, encryptCard } from './cards.ts';
import type { Client } from './client.ts';
import type { Demo, DemoCardKey, DemoTestCard } from './demo.ts';
import { NotChecked } from './not-checked.ts';

/** A PaymentAuthorization body, open for a test to damage. */
export type PaymentBody = Record<string, unknown> & {
  requestMetadata: Record<string, unknown> & {
    billingAddress: Record<string, unknown>;
    partnerServiceInfo: Record<string, unknown>;
  };
};

/** What makes one payment differ from the plain one. */
export interface PaymentChanges {
  readonly card?: DemoTestCard;
  /** Replaces fields of the clear text; `undefined` leaves one out. */
  readonly cardData?: CardData;
  readonly key?: DemoCardKey;
  /** Replaces the ciphertext. */
  readonly encryptedCardData?: unknown;
  readonly amount?: unknown;
  readonly tipAmount?: unknown;
}

/** The first test card with this outcome; throws when the sandbox has none. */
export function cardWithOutcome(demo: Demo, outcome: string): DemoTestCard {
  const card = demo.testCards.find((candidate) => candidate.outcome === outcome);
  if (!card) throw new NotChecked(`no test card has the outcome ${outcome}`);
  return card;
}

/** The first key of demo.json whose identifier names this algorithm (PAY-3). */
export function cardKey(demo: Demo, algorithm: string): DemoCardKey {
  const key = demo.cardKeys.find(({ keyId }) => keyId.startsWith(`${algorithm}::`));
  if (!key) throw new NotChecked(`demo.json has no card key for ${algorithm}`);
  return key;
}

/** A valid PaymentAuthorization of a card that is authorized, with the changes. */
export async function paymentBody(demo: Demo, changes: PaymentChanges = {}): Promise<PaymentBody> {
  const card = changes.card ?? cardWithOutcome(demo, 'AUTHORIZED');
  const key = changes.key ?? cardKey(demo, 'RSA-OAEP-SHA256');
  const clearText = { ...cardDataOf(card), ...changes.cardData };
  const encrypted = changes.encryptedCardData ?? (await encryptCard(key, clearText));
  return {
    cardNumberOrigin: 'END_USER',
    willSaveCard: false,
    encryptedCardData: encrypted,
    amount: changes.amount ?? 10.5,
    tipAmount: changes.tipAmount ?? 1.5,
    keyId: key.keyId,
    requestMetadata: {
      partnerServiceInfo: { instanceId: 'acceptance-1', additionalInfo: 'black-box suite' },
      localTransactionDate: '2025-01-15T18:30:00.000Z',
      originIPAddr: '8.8.8.8',
      cardFirst6: card.cardNumber.slice(0, 6),
      cardLast4: card.cardNumber.slice(-4),
      billingAddress: { postalCode: '02110', country: 'USA' },
      guestIdentifier: 'guest-1@example.com',
    },
  };
}

/** Puts one payment and asserts the status. A new paymentUuid unless one is given. */
export async function authorize(
  client: Client,
  status: number,
  merchantUuid: string,
  body: unknown,
  paymentUuid: string = randomUUID(),
): Promise<Answer> {
  return client.call('creditCards.authorize', status, {
    params: { merchantUuid, paymentUuid },
    restaurant: merchantUuid,
    json: body,
  });
}
