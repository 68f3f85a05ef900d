import type { PaymentAuthorization } from '@servery/contract';
import { encryptCardData } from './encrypt-card-data.ts';
import { type TestCard, testCards } from './test-cards.ts';

export interface PaidWithTestCard {
  readonly amount: number;
  readonly tipAmount: number;
  readonly now: Date;
  readonly originIPAddr: string;
  /** Which program pays. */
  readonly instanceId: string;
}

/** An address of documentation (RFC 5737), which only a sandbox accepts. */
export const ADDRESS_IN_SANDBOX = '203.0.113.7';

const POSTAL_CODE = '60607';
const COUNTRY = 'USA';

/** A complete body for the PUT of a payment. Throws for a key that does not match its ID. */
export async function authorizationWithTestCard(
  { number: cardNumber, cvvLength }: TestCard,
  key: { readonly keyId: string; readonly material: Parameters<typeof encryptCardData>[0] },
  { amount, tipAmount, now, originIPAddr, instanceId }: PaidWithTestCard,
): Promise<PaymentAuthorization> {
  const { keyId, material } = key;
  const cvv = '1234'.slice(0, cvvLength);
  const expiry = { expMonth: '12', expYear: '39' };
  const clearText = { cardNumber, cvv, ...expiry, zipCode: POSTAL_CODE, country: COUNTRY };
  const encryptedCardData = await encryptCardData(material, keyId, clearText);
  return {
    cardNumberOrigin: 'END_USER',
    willSaveCard: false,
    encryptedCardData: encryptedCardData as string,
    keyId,
    amount,
    tipAmount,
    requestMetadata: {
      partnerServiceInfo: { instanceId },
      localTransactionDate: now.toISOString(),
      originIPAddr,
      cardFirst6: cardNumber.slice(0, 6),
      cardLast4: cardNumber.slice(-4),
      billingAddress: { postalCode: POSTAL_CODE, country: COUNTRY },
      guestIdentifier: 'guest-1',
    },
  };
}

/** Test cards for an assistant, which knows them only by what they show. */
export const namedTestCards = {
  names: [...new Set(testCards.map(({ description }) => description))],
  async authorizationOf(
    name: string,
    { keyId, publicKeyPem }: { readonly keyId: string; readonly publicKeyPem: string },
    paid: Pick<PaidWithTestCard, 'amount' | 'tipAmount' | 'now'>,
  ): Promise<PaymentAuthorization> {
    const card = testCards.find(({ description }) => description === name);
    if (!card) throw new Error(`There is no test card "${name}".`);
    const place = { originIPAddr: ADDRESS_IN_SANDBOX, instanceId: 'servery-mcp' };
    return await authorizationWithTestCard(
      card,
      { keyId, material: publicKeyPem },
      { ...paid, ...place },
    );
  },
};
