import type { CardEncryptionKey } from '@servery/contract';
import { InvalidInput } from './errors.ts';
import { presentMs } from './present.ts';

/** A card as the guest enters it. */
export interface Card {
  /** Digits. Spaces and hyphens between them are removed. */
  readonly number: string;
  /** `01` to `12`. */
  readonly expMonth: string | number;
  /** Two or four digits. */
  readonly expYear: string | number;
  /** Optional only for a stored card (`PARTNER_VAULT`). */
  readonly cvv?: string;
  readonly postalCode: string;
  /** ISO 3166-1 alpha-3, for example USA. */
  readonly country: string;
}

/** An encrypted card. You can send it to your server: nobody there can read the number. */
export interface EncryptedCard {
  readonly encryptedCardData: string;
  readonly keyId: string;
  readonly cardFirst6: string;
  readonly cardLast4: string;
  readonly postalCode: string;
  readonly country: string;
}

/** A public key, as `platform.cardEncryptionKeys.list` returns it. */
export type CardKey = Pick<CardEncryptionKey, 'keyId' | 'publicKeyJwk'> & {
  readonly notAfter?: string | null;
};

/** The best first. */
const ALGORITHMS = ['ECDH-ES', 'RSA-OAEP-256', 'RSA-OAEP-SHA256', 'RSA-OAEP-SHA1'] as const;
type Algorithm = (typeof ALGORITHMS)[number];
const CONTENT_ENCRYPTION = 'A256GCM';
const CONTENT_KEY_BITS = 256;

/**
 * Encrypts a card with the best of the keys, on any JavaScript platform with WebCrypto. Throws
 * InvalidInput if the card or a key can't be valid.
 */
export async function encryptCard(
  card: Card,
  keys: readonly CardKey[],
  nowMs: number = presentMs(),
): Promise<EncryptedCard> {
  const { number, expMonth, expYear } = readCard(card, nowMs);
  const { cvv, postalCode, country } = card;
  const { key, algorithm } = chooseKey(keys, nowMs);
  const clearText = bytesOf(
    JSON.stringify({
      ...{ cardNumber: number, expMonth, expYear, zipCode: postalCode, country },
      ...(cvv === undefined ? {} : { cvv }),
    }),
  );
  const encryptedCardData = await encryptFor(key, algorithm, clearText).catch((error: unknown) => {
    const problem = `can't be used: the key ${key.keyId} doesn't match its identifier.`;
    throw Object.assign(new InvalidInput('keys', problem), { cause: error });
  });
  const ends = { cardFirst6: number.slice(0, 6), cardLast4: number.slice(-4) };
  return { encryptedCardData, keyId: key.keyId, ...ends, postalCode, country };
}

/** The fields of a card as the platform wants them. */
function readCard(card: Card, nowMs: number) {
  const demand = (isRight: boolean, field: keyof Card, problem: string) => {
    if (!isRight) throw new InvalidInput(`card.${field}`, problem);
  };
  const number = String(card.number ?? '').replaceAll(/[ -]/g, '');
  demand(/^\d{12,19}$/.test(number), 'number', 'must have 12 to 19 digits.');
  demand(
    hasRightCheckDigit(number),
    'number',
    'has a wrong check digit: at least one digit is mistyped.',
  );
  const expMonth = String(card.expMonth ?? '').padStart(2, '0');
  demand(/^(0[1-9]|1[0-2])$/.test(expMonth), 'expMonth', 'must be from 01 to 12.');
  const year = String(card.expYear ?? '');
  demand(/^(20)?\d{2}$/.test(year), 'expYear', 'must have two or four digits.');
  const expYear = year.slice(-2);
  // It is valid to the end of its month in every time zone.
  const endMs = Date.UTC(2000 + Number(expYear), Number(expMonth), 1, 12);
  demand(nowMs < endMs, 'expYear', `is in the past: the card expired in ${expMonth}/${expYear}.`);
  const { cvv, postalCode, country } = card;
  demand(cvv === undefined || /^\d{3,4}$/.test(cvv), 'cvv', 'must have 3 or 4 digits.');
  demand(Boolean(postalCode), 'postalCode', 'is missing.');
  demand(/^[A-Z]{3}$/.test(country ?? ''), 'country', 'must have three letters, for example USA.');
  return { number, expMonth, expYear };
}

/** The Luhn algorithm. */
function hasRightCheckDigit(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function chooseKey(keys: readonly CardKey[], nowMs: number) {
  const isLive = ({ notAfter }: CardKey) => !notAfter || Date.parse(notAfter) > nowMs;
  for (const algorithm of ALGORITHMS) {
    const isOf = ({ keyId }: CardKey) => keyId.startsWith(`${algorithm}::`);
    const key = keys.find((each) => isOf(each) && isLive(each));
    if (key) return { key, algorithm };
  }
  throw new InvalidInput(
    'keys',
    keys.length === 0
      ? 'is empty: read your account’s card keys with platform.cardEncryptionKeys.list().'
      : 'has no active key with a known algorithm: read your account’s card keys again.',
  );
}

async function encryptFor(
  { keyId, publicKeyJwk }: CardKey,
  algorithm: Algorithm,
  clearText: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const { subtle } = crypto;
  const { alg: _, use: __, ...jwk } = publicKeyJwk;
  const header = { alg: algorithm, enc: CONTENT_ENCRYPTION, kid: keyId };
  if (algorithm === 'ECDH-ES') {
    const curve = { name: 'ECDH', namedCurve: jwk.crv ?? '' };
    const recipient = await subtle.importKey('jwk', jwk, curve, false, []);
    const own = await subtle.generateKey(curve, false, ['deriveBits']);
    const { kty, crv, x, y } = await subtle.exportKey('jwk', own.publicKey);
    const secret = await subtle.deriveBits(
      { name: 'ECDH', public: recipient },
      own.privateKey,
      256,
    );
    const contentKey = await deriveContentKey(new Uint8Array(secret));
    const epk = { kty, crv, x, y };
    return await seal({ ...header, epk }, new Uint8Array(), contentKey, clearText);
  }
  const hash = algorithm === 'RSA-OAEP-SHA1' ? 'SHA-1' : 'SHA-256';
  const oaep = { name: 'RSA-OAEP', hash };
  const recipient = await subtle.importKey('jwk', jwk, oaep, false, ['encrypt']);
  const encrypt = async (bytes: Uint8Array<ArrayBuffer>) =>
    new Uint8Array(await subtle.encrypt('RSA-OAEP', recipient, bytes));
  if (algorithm !== 'RSA-OAEP-256') return base64Of(await encrypt(clearText));
  const contentKey = crypto.getRandomValues(new Uint8Array(CONTENT_KEY_BITS / 8));
  return await seal(header, await encrypt(contentKey), contentKey, clearText);
}

/** The Concat KDF of RFC 7518, 4.6, for a key of 256 bits: one round of SHA-256. */
async function deriveContentKey(secret: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const withLength = (bytes: Uint8Array) => [...uint32(bytes.length), ...bytes];
  const input = Uint8Array.from([
    ...uint32(1),
    ...secret,
    ...withLength(bytesOf(CONTENT_ENCRYPTION)),
    ...withLength(new Uint8Array()),
    ...withLength(new Uint8Array()),
    ...uint32(CONTENT_KEY_BITS),
  ]);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', input));
}

/** A JSON Web Encryption in its compact form (RFC 7516). */
async function seal(
  header: object,
  encryptedKey: Uint8Array,
  contentKey: Uint8Array<ArrayBuffer>,
  clearText: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const { subtle } = crypto;
  const [name, tagBytes] = ['AES-GCM', 16];
  const head = base64UrlOf(bytesOf(JSON.stringify(header)));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const key = await subtle.importKey('raw', contentKey, name, false, ['encrypt']);
  const algorithm = { name, iv, additionalData: bytesOf(head), tagLength: tagBytes * 8 };
  const sealed = new Uint8Array(await subtle.encrypt(algorithm, key, clearText));
  const at = sealed.length - tagBytes;
  const parts = [encryptedKey, iv, sealed.subarray(0, at), sealed.subarray(at)];
  return [head, ...parts.map(base64UrlOf)].join('.');
}

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text);
const uint32 = (value: number) =>
  [value >>> 24, value >>> 16, value >>> 8, value].map((n) => n & 255);
const base64Of = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const base64UrlOf = (bytes: Uint8Array) =>
  base64Of(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
