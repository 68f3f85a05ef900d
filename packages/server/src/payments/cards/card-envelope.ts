import { type KeyObject, webcrypto } from 'node:crypto';
import { compactDecrypt, errors, type FlattenedJWE, flattenedDecrypt } from 'jose';
import { CardDataFault } from './card-data.ts';
import type { CardKeyAlgorithm } from './card-key-algorithm.ts';
import { openDirectAgreement } from './direct-agreement.ts';

export interface OpenedCardKey {
  readonly keyId: string;
  readonly algorithm: CardKeyAlgorithm;
  readonly privateKey: webcrypto.CryptoKey;
  /** The ECDH-ES key for the key agreement; null for RSA. */
  readonly agreementKey: KeyObject | null;
}

export type EncryptedCardData = string | Readonly<Record<string, unknown>>;

/** The authenticated content encryptions of RFC 7518 that we accept. We encrypt with the first. */
const CONTENT_ENCRYPTIONS = ['A256GCM', 'A128GCM', 'A256CBC-HS512', 'A128CBC-HS256'] as const;

const KEY_MANAGEMENT = {
  'RSA-OAEP-256': ['RSA-OAEP-256'],
  'ECDH-ES': ['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A256KW'],
} as const;

/**
 * Decrypts `encryptedCardData` (PAY-1): base64 ciphertext with white space ignored, or a JWE as
 * compact text or object. Slow work runs off the event loop. Throws CardDataFault. The caller must
 * overwrite the bytes after use.
 */
export async function openEnvelope(
  key: OpenedCardKey,
  encrypted: EncryptedCardData,
): Promise<Uint8Array> {
  const { algorithm } = key;
  if (algorithm === 'RSA-OAEP-256' || algorithm === 'ECDH-ES') {
    return openJwe(key, algorithm, encrypted);
  }
  if (typeof encrypted !== 'string') {
    throw new CardDataFault(`must be base64 text for a key of ${algorithm}`);
  }
  return openBareRsa(key, decodeBase64(encrypted));
}

/** Card data without `keyId` may need any legacy key. Throws the first key's CardDataFault. */
export async function openWithAnyOf(
  keys: readonly OpenedCardKey[],
  encrypted: EncryptedCardData,
): Promise<Uint8Array> {
  let refusal: CardDataFault | undefined;
  for (const key of keys) {
    try {
      return await openEnvelope(key, encrypted);
    } catch (error) {
      if (!(error instanceof CardDataFault)) throw error;
      refusal ??= error;
    }
  }
  throw refusal ?? new CardDataFault('there is no key to decrypt with');
}

function decodeBase64(text: string): Buffer<ArrayBuffer> {
  const compact = text.replaceAll(/\s/g, '');
  if (compact === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) {
    throw new CardDataFault('is not base64');
  }
  return Buffer.from(compact, 'base64');
}

async function openBareRsa(
  key: OpenedCardKey,
  ciphertext: Buffer<ArrayBuffer>,
): Promise<Uint8Array> {
  try {
    const plain = await webcrypto.subtle.decrypt('RSA-OAEP', key.privateKey, ciphertext);
    return new Uint8Array(plain);
  } catch {
    throw new CardDataFault(
      `cannot be decrypted with ${key.keyId}: check the public key and the ` +
        `padding, ${key.algorithm} with the same hash for MGF1`,
    );
  }
}

async function openJwe(
  key: OpenedCardKey,
  algorithm: keyof typeof KEY_MANAGEMENT,
  encrypted: EncryptedCardData,
): Promise<Uint8Array> {
  const jwe = typeof encrypted === 'string' ? encrypted.replaceAll(/\s/g, '') : encrypted;
  const { agreementKey } = key;
  const usual =
    agreementKey && typeof jwe === 'string' ? await openDirectAgreement(agreementKey, jwe) : null;
  const { plaintext, kid } = usual ?? (await openWithJose(key, algorithm, jwe));
  if (kid === undefined || kid === key.keyId) return plaintext;
  plaintext.fill(0);
  throw new CardDataFault('kid in the header of the JWE differs from keyId');
}

async function openWithJose(
  key: OpenedCardKey,
  algorithm: keyof typeof KEY_MANAGEMENT,
  jwe: EncryptedCardData,
): Promise<{ readonly plaintext: Uint8Array; readonly kid: string | undefined }> {
  const options = {
    keyManagementAlgorithms: [...KEY_MANAGEMENT[algorithm]],
    contentEncryptionAlgorithms: [...CONTENT_ENCRYPTIONS],
    // Refuses compressed data, which could be a decompression bomb.
    maxDecompressedLength: 0,
  };
  try {
    const { plaintext, protectedHeader } =
      typeof jwe === 'string'
        ? await compactDecrypt(jwe, key.privateKey, options)
        : await flattenedDecrypt(jwe as unknown as FlattenedJWE, key.privateKey, options);
    return { plaintext, kid: protectedHeader?.kid };
  } catch (error) {
    const code = error instanceof errors.JOSEError ? error.code : 'invalid';
    throw new CardDataFault(`is not a JWE that can be decrypted with ${key.keyId} (${code})`);
  }
}
