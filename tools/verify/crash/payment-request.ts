import { type CardOutcome, simulatedCards } from '@servery/card-simulator/simulated-cards.ts';
import { brandedHeaders, type OperationId, operationById } from '@servery/contract';
import { encryptCardData } from '../../../packages/server/src/payments/cards/encrypt-card-data.ts';
import type { PaymentKey } from '../../../packages/server/src/payments/life/store.ts';
import type { DemoFile } from '../../../packages/server/src/sandbox/demo-file.ts';
import type { Lots } from './random.ts';

/** A payment that a partner wants: its identity, and what is paid with which card. */
export interface WantedPayment extends PaymentKey {
  readonly cardNumber: string;
  /** In whole units of the currency, which every currency has. */
  readonly amount: number;
  readonly tipAmount: number;
}

/** The accounts that ask for authorizations; their payments are not each other's. */
export type PartnerAccount = 'partner' | 'group';

/** The path of an operation on one payment. */
export function pathOf(operationId: OperationId, payment: PaymentKey): string {
  return operationById(operationId)
    .path.replace('{merchantUuid}', payment.merchantGuid)
    .replace('{paymentUuid}', payment.paymentUuid);
}

/** How often, in a hundred payments, the processor behaves so. */
const outcomeWeights: Readonly<Partial<Record<CardOutcome, number>>> = {
  approved: 74,
  declined: 5,
  lostAnswerAfterHold: 6,
  lostAnswerBeforeHold: 4,
  notProcessedOnce: 5,
  notProcessed: 1,
  wrongAmount: 3,
  timeOutAfterHold: 1,
  timeOutBeforeHold: 1,
};

/** Draws a test card; those that are slow are among them. */
export function drawCard(lots: Lots): string {
  let left = lots.between(1, 100);
  for (const [outcome, weight] of Object.entries(outcomeWeights)) {
    left -= weight;
    if (left > 0) continue;
    return lots.pick(simulatedCards.filter((card) => card.outcome === outcome)).number;
  }
  throw new Error('the weights of the test cards do not make a hundred');
}

/** All numbers that a card in this run can have, to look for where none may be. */
export const cardNumbers: readonly string[] = simulatedCards.map(({ number }) => number);

/** What tells the content of a PUT from that of another: who pays how much with which card. */
export function contentOf(accountName: string, payment: WantedPayment): string {
  const { cardNumber, amount, tipAmount } = payment;
  return `${accountName}/…${cardNumber.slice(-4)}/${amount}+${tipAmount}`;
}

/** The path, headers and body of the PUT; every encryption of the same content is another one. */
export async function paymentRequest(
  demo: DemoFile,
  account: PartnerAccount,
  payment: WantedPayment,
) {
  const { merchantGuid, cardNumber, amount, tipAmount } = payment;
  const key = demo.clients[account].cardKeys.find(({ keyId }) => keyId.startsWith('ECDH-ES::'));
  if (!key) throw new Error('demo.json has no ECDH-ES key');
  const clearText = { cardNumber, cvv: '123', expMonth: '12', expYear: '39' };
  const address = { zipCode: '02110', country: 'USA' };
  const { keyId, publicKeyPem } = key;
  const encrypted = await encryptCardData(publicKeyPem, keyId, { ...clearText, ...address });
  return {
    method: 'PUT',
    path: pathOf('creditCards.authorize', payment),
    headers: { [brandedHeaders(demo.brand).restaurantExternalId]: merchantGuid },
    json: {
      cardNumberOrigin: 'END_USER',
      willSaveCard: false,
      encryptedCardData: encrypted,
      amount,
      tipAmount,
      keyId,
      requestMetadata: {
        partnerServiceInfo: { instanceId: 'crash-1' },
        localTransactionDate: '2025-01-15T18:30:00.000Z',
        originIPAddr: '8.8.8.8',
        cardFirst6: cardNumber.slice(0, 6),
        cardLast4: cardNumber.slice(-4),
        billingAddress: { postalCode: address.zipCode, country: address.country },
        guestIdentifier: 'guest-1@example.com',
      },
    },
  } as const;
}
