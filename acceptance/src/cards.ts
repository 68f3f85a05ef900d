import { constants, publicEncrypt } from 'node:crypto';
import { CompactEncrypt, FlattenedEncrypt, importJWK } from 'jose';
import type { DemoCardKey, DemoTestCard } from './demo.ts';

/** The clear text of encryptedCardData (PAY-2). */
export interface CardData {
  readonly cardNumber?: unknown;
  readonly zipCode?: unknown;
  readonly cvv?: unknown;
  readonly expMonth?: unknown;
  readonly expYear?: unknown;
  readonly country?: unknown;
}

/** The card data that a guest with this test card would type in. */
export function cardDataOf(card: DemoTestCard): CardData {
  return {
    cardNumber: card.cardNumber,
    zipCode: '02110',
    cvv: card.cvv,
    expMonth: '12',
    expYear: '39',
    country: 'USA',
  };
}

/** Encrypts for one key and gives the value of `encryptedCardData` in one of its forms (PAY-1). */
export type Encrypt = (key: DemoCardKey, clearText: string | Buffer) => Promise<unknown>;

function oaep(key: DemoCardKey, clearText: string | Buffer): Buffer {
  const oaepHash = key.keyId.startsWith('RSA-OAEP-SHA1::') ? 'sha1' : 'sha256';
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return publicEncrypt({ key: key.publicKeyPem, padding, oaepHash }, Buffer.from(clearText));
}

/** PAY-1, the published form: base64 of the RSA-OAEP ciphertext. */
export const base64Form: Encrypt = async (key, clearText) =>
  oaep(key, clearText).toString('base64');

/** PAY-1: the same with white space inside, as encoders that break lines write it. */
const brokenLinesForm: Encrypt = async (key, clearText) =>
  oaep(key, clearText)
    .toString('base64')
    .replace(/.{76}/g, (line) => `${line}\r\n `);

const jweHeader = (key: DemoCardKey) => ({
  alg: key.keyId.startsWith('ECDH-ES::') ? 'ECDH-ES' : 'RSA-OAEP-256',
  enc: 'A256GCM',
  kid: key.keyId,
});

/** PAY-1: a compact JWE string. */
export const compactForm: Encrypt = async (key, clearText) =>
  new CompactEncrypt(Buffer.from(clearText))
    .setProtectedHeader(jweHeader(key))
    .encrypt(await importJWK(key.publicKeyJwk, jweHeader(key).alg));

/** PAY-1: the flattened JSON object of RFC 7516. */
const flattenedForm: Encrypt = async (key, clearText) =>
  new FlattenedEncrypt(Buffer.from(clearText))
    .setProtectedHeader(jweHeader(key))
    .encrypt(await importJWK(key.publicKeyJwk, jweHeader(key).alg));

/** The forms that a key of this identifier takes (PAY-1, PAY-3). */
export function formsOf(keyId: string): Readonly<Record<string, Encrypt>> {
  if (/^RSA-OAEP-SHA(1|256)::/.test(keyId)) {
    return { 'a base64 string': base64Form, 'a base64 string of many lines': brokenLinesForm };
  }
  return { 'a compact JWE': compactForm, 'a flattened JWE object': flattenedForm };
}

/** The card data in the first form that the key takes. */
export async function encryptCard(key: DemoCardKey, card: CardData): Promise<unknown> {
  const [encrypt] = Object.values(formsOf(key.keyId));
  if (!encrypt) throw new Error(`no form is known for ${key.keyId}`);
  return encrypt(key, JSON.stringify(card));
}
