import assert from 'node:assert/strict';
import {
  constants,
  generateKeyPairSync,
  publicEncrypt,
  randomUUID,
  type webcrypto,
} from 'node:crypto';
import { CompactEncrypt, importJWK } from 'jose';
import type { DecryptOrder } from './ceilings/decrypts.ts';
import { type LoadRequest, measureLoad, requestBytes } from './load.ts';
import type { MeasuredPlatform } from './platform.ts';
import type { Contender } from './scenario.ts';

/** How card data is encrypted, by the name that the id of a card key begins with. */
export type CardAlgorithm = DecryptOrder['algorithm'];

/** Requests under way at once: guests who pay at the same time. */
const CONNECTIONS = 64;
/** Different bodies; each is sent many times, with a new identity each time. */
const BODIES = 512;

/** Every payment is counted, and no limit is reached: they would deny what is to be measured. */
export const COUNTED = {
  SERVERY_VELOCITY_LIMITS: 'on',
  ...Object.fromEntries(
    ['CARD', 'GUEST', 'ADDRESS', 'BIN', 'RESTAURANT', 'CLIENT'].map((name) => [
      `SERVERY_VELOCITY_PER_${name}`,
      '1000000/1h',
    ]),
  ),
};

/** Loads the platform with new payments, each authorized. */
export async function payingContender(
  platform: MeasuredPlatform,
  algorithm: CardAlgorithm,
): Promise<Contender> {
  const requests = await preparePayments(platform, algorithm);
  let sent = 0;
  const next = () => {
    sent += 1;
    return withIdentity(requests[sent % requests.length] as LoadRequest);
  };
  const target = { url: platform.url, next, connections: CONNECTIONS };
  return {
    name: 'product',
    process: platform,
    measure: (seconds) => measureLoad(target, seconds),
  };
}

/** Authorizes one payment, and gives its paymentUuid. */
export async function payOnce(
  platform: MeasuredPlatform,
  algorithm: CardAlgorithm,
): Promise<string> {
  const [request] = await preparePayments(platform, algorithm, 1);
  assert.ok(request);
  const uuid = randomUUID();
  const connections = 1;
  const next = () => withIdentity(request, uuid);
  await measureLoad({ url: platform.url, next, connections }, 0);
  return uuid;
}

/** What stands for the paymentUuid in the bytes that are prepared. */
const PLACE = '00000000-0000-4000-8000-000000000000';

function withIdentity(request: LoadRequest, uuid: string = randomUUID()): LoadRequest {
  const bytes = Buffer.from(request.bytes);
  bytes.write(uuid, bytes.indexOf(PLACE), 'latin1');
  return { ...request, bytes };
}

/** Different guests with different cards at different addresses, as a restaurant has them. */
async function preparePayments(
  { url, demo, headers, restaurantGuid }: MeasuredPlatform,
  algorithm: CardAlgorithm,
  count = BODIES,
): Promise<LoadRequest[]> {
  const key = demo.cardKeys.find(({ keyId }) => keyId.startsWith(`${algorithm}::`));
  assert.ok(key, `the partner has no card key for ${algorithm}`);
  const cards = demo.testCards.filter(({ name }) => name === 'Approved');
  const path = `${url}/ccpartner/v1/merchants/${restaurantGuid}/payments/${PLACE}`;
  const check = (body: Buffer) =>
    assert.equal(JSON.parse(body.toString()).paymentState, 'AUTHORIZED', body.toString());
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const card = cards[index % cards.length];
      assert.ok(card);
      const encrypted = await encrypt(algorithm, key.publicKeyJwk, clearTextOf(card), key.keyId);
      const body = JSON.stringify(bodyOf(card.cardNumber, encrypted, key.keyId, index));
      const sent = { ...headers, 'content-type': 'application/json' };
      return {
        bytes: requestBytes(path, { method: 'PUT', headers: sent, body }),
        status: 200,
        check,
      };
    }),
  );
}

function clearTextOf({ cardNumber, cvv }: { cardNumber: string; cvv: string }): string {
  return JSON.stringify({
    ...{ cardNumber, cvv, zipCode: '02110', expMonth: '12', expYear: '39', country: 'USA' },
  });
}

function bodyOf(cardNumber: string, encrypted: string, keyId: string, guest: number): object {
  return {
    ...{ cardNumberOrigin: 'END_USER', willSaveCard: false, amount: 10.5, tipAmount: 1.5 },
    ...{ keyId, encryptedCardData: encrypted },
    requestMetadata: {
      partnerServiceInfo: { instanceId: 'bench-1' },
      localTransactionDate: '2025-01-15T18:30:00.000Z',
      originIPAddr: `8.8.${guest >> 8}.${guest & 255}`,
      cardFirst6: cardNumber.slice(0, 6),
      cardLast4: cardNumber.slice(-4),
      billingAddress: { postalCode: '02110', country: 'USA' },
      guestIdentifier: `guest-${guest}@example.com`,
    },
  };
}

async function encrypt(
  algorithm: CardAlgorithm,
  publicKeyJwk: webcrypto.JsonWebKey,
  clearText: string,
  keyId: string,
): Promise<string> {
  const bytes = Buffer.from(clearText);
  if (algorithm === 'ECDH-ES') {
    return await new CompactEncrypt(bytes)
      .setProtectedHeader({ alg: algorithm, enc: 'A256GCM', kid: keyId })
      .encrypt(await importJWK(publicKeyJwk as Parameters<typeof importJWK>[0], algorithm));
  }
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const key = { key: publicKeyJwk, format: 'jwk', padding, oaepHash: 'sha256' } as const;
  return publicEncrypt(key, bytes).toString('base64');
}

/** The same card data for a key of the same kind and size whose private part is known here. */
export async function decryptOrder(algorithm: CardAlgorithm): Promise<DecryptOrder> {
  const pair =
    algorithm === 'ECDH-ES'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 3072 });
  const publicKeyJwk = pair.publicKey.export({ format: 'jwk' });
  const clearText = clearTextOf({ cardNumber: '4111111111111111', cvv: '123' });
  return {
    algorithm,
    clearText,
    privateKeyJwk: pair.privateKey.export({ format: 'jwk' }),
    encrypted: await encrypt(algorithm, publicKeyJwk, clearText, `${algorithm}::bench`),
  };
}
