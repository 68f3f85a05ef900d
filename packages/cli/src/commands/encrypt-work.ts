import { isIP } from 'node:net';
import type { PaymentAuthorization } from '@servery/contract';
import { load, type TestCard } from '@servery/server';
import { newRandomId } from '@servery/support/ids.ts';
import { invalidUsage } from '../exit-codes.ts';

const { authorizationWithTestCard, publicAddressRule } = await load.cards();
export const { ADDRESS_IN_SANDBOX, algorithmOfKeyId } = await load.cards();

export interface PublicKey {
  readonly keyId: string;
  readonly material: string | Readonly<Record<string, unknown>>;
}

export function addressFault(address: string, isProduction: boolean): string | null {
  if (isIP(address) === 0) return 'must be an IPv4 or IPv6 address';
  return isProduction ? publicAddressRule(address) : null;
}

/** A complete body for the PUT of a payment. Throws CommandFailure for a key that does not fit. */
export async function authorizationOf(
  card: TestCard,
  { keyId, material }: PublicKey,
  paid: { amount: number; tipAmount: number; now: Date; originIPAddr: string },
): Promise<PaymentAuthorization> {
  const key = { keyId, material: material as string };
  return await authorizationWithTestCard(card, key, { ...paid, instanceId: 'servery-cli' }).catch(
    (error: Error) => {
      throw invalidUsage(`the public key does not match ${keyId}: ${error.message}`);
    },
  );
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
