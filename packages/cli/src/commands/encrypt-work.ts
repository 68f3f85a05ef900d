import { isIP } from 'node:net';
import type { PaymentAuthorization } from '@servery/contract';
import { load, type TestCard } from '@servery/server';
import { newRandomId } from '@servery/support/ids.ts';
import { invalidUsage } from '../exit-codes.ts';

const { encryptCardData, publicAddressRule } = await load.cards();
export const { algorithmOfKeyId } = await load.cards();

export interface PublicKey {
  readonly keyId: string;
  readonly material: string | Readonly<Record<string, unknown>>;
}

const POSTAL_CODE = '60607';
const COUNTRY = 'USA';

export function addressFault(address: string, isProduction: boolean): string | null {
  if (isIP(address) === 0) return 'must be an IPv4 or IPv6 address';
  return isProduction ? publicAddressRule(address) : null;
}

/** A complete body for the PUT of a payment. Throws CommandFailure for a key that does not fit. */
export async function authorizationOf(
  { number: cardNumber, cvvLength }: TestCard,
  { keyId, material }: PublicKey,
  paid: { amount: number; tipAmount: number; now: Date; originIPAddr: string },
): Promise<PaymentAuthorization> {
  const { amount, tipAmount, now, originIPAddr } = paid;
  const cvv = '1234'.slice(0, cvvLength);
  const expiry = { expMonth: '12', expYear: '39' };
  const clearText = { cardNumber, cvv, ...expiry, zipCode: POSTAL_CODE, country: COUNTRY };
  const encryptedCardData = await encryptCardData(
    material as Parameters<typeof encryptCardData>[0],
    keyId,
    clearText,
  ).catch((error: Error) => {
    throw invalidUsage(`the public key does not match ${keyId}: ${error.message}`);
  });
  return {
    cardNumberOrigin: 'END_USER',
    willSaveCard: false,
    encryptedCardData: encryptedCardData as string,
    keyId,
    amount,
    tipAmount,
    requestMetadata: {
      partnerServiceInfo: { instanceId: 'servery-cli' },
      localTransactionDate: now.toISOString(),
      originIPAddr,
      cardFirst6: cardNumber.slice(0, 6),
      cardLast4: cardNumber.slice(-4),
      billingAddress: { postalCode: POSTAL_CODE, country: COUNTRY },
      guestIdentifier: 'guest-1',
    },
  };
}

export function curlCommand(
  { baseUrl, restaurant, header }: { baseUrl: string; restaurant: string; header: string },
  body: PaymentAuthorization,
): string {
  const path = `/ccpartner/v1/merchants/${restaurant}/payments/${newRandomId()}`;
  return [
    `curl -sS -X PUT ${shellWord(baseUrl + path)}`,
    `-H "Authorization: Bearer $TOKEN"`,
    `-H ${shellWord(`${header}: ${restaurant}`)}`,
    `-H 'Content-Type: application/json'`,
    `--data-binary ${shellWord(JSON.stringify(body))}\n`,
  ].join(' \\\n  ');
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
