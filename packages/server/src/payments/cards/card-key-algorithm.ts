import { webcrypto } from 'node:crypto';
import { cardKeyAlgorithms } from '@servery/contract';

/**
 * How card data is encrypted with a key (PAY-3). The first two are a bare RSA-OAEP ciphertext in
 * base64, with the named hash for OAEP and for MGF1 alike. The others are a JSON Web Encryption.
 */
export type CardKeyAlgorithm = (typeof cardKeyAlgorithms)[number];

/** The algorithm that a key identifier `<ALGORITHM>::<identifier>` names, or null (PAY-3). */
export function algorithmOfKeyId(keyId: string): CardKeyAlgorithm | null {
  const [name, identifier] = keyId.split('::');
  if (!identifier) return null;
  return cardKeyAlgorithms.find((algorithm) => algorithm === name) ?? null;
}

/** The WebCrypto parameters of an RSA key of this algorithm; null for ECDH-ES. */
export function rsaParameters(algorithm: CardKeyAlgorithm): RsaHashedImportParams | null {
  if (algorithm === 'ECDH-ES') return null;
  return { name: 'RSA-OAEP', hash: algorithm === 'RSA-OAEP-SHA1' ? 'SHA-1' : 'SHA-256' };
}

interface RsaHashedImportParams {
  readonly name: 'RSA-OAEP';
  readonly hash: 'SHA-1' | 'SHA-256';
}

/** The `alg` of the key's JWK (RFC 7518). */
export function jwkAlgorithm(algorithm: CardKeyAlgorithm): string {
  if (algorithm === 'ECDH-ES') return 'ECDH-ES';
  return algorithm === 'RSA-OAEP-SHA1' ? 'RSA-OAEP' : 'RSA-OAEP-256';
}

/** The algorithms that a client gets keys of unless it asks for others. */
export const defaultCardKeyAlgorithms: readonly CardKeyAlgorithm[] = [
  'RSA-OAEP-SHA256',
  'ECDH-ES',
  'RSA-OAEP-256',
];

/** The WebCrypto parameters of a key for ECDH-ES: every JOSE library can do P-256. */
export const ecdhParameters = { name: 'ECDH', namedCurve: 'P-256' } as const;

const RSA_BITS = 3072;

/** Makes the key pair of a card key. An RSA pair takes a thread up to a second. */
export async function makeCardKeyPair(
  algorithm: CardKeyAlgorithm,
): Promise<webcrypto.CryptoKeyPair> {
  const rsa = rsaParameters(algorithm);
  if (!rsa) return await webcrypto.subtle.generateKey(ecdhParameters, true, ['deriveBits']);
  const publicExponent = new Uint8Array([1, 0, 1]);
  const parameters = { ...rsa, modulusLength: RSA_BITS, publicExponent };
  return await webcrypto.subtle.generateKey(parameters, true, ['encrypt', 'decrypt']);
}
