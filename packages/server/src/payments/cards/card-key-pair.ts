import { webcrypto } from 'node:crypto';
import { type CardKeyAlgorithm, rsaParameters } from './card-key-algorithm.ts';

/** The algorithms that a client gets keys of unless it asks for others. */
export const defaultCardKeyAlgorithms: readonly CardKeyAlgorithm[] = [
  'RSA-OAEP-SHA256',
  'ECDH-ES',
  'RSA-OAEP-256',
];

/** The WebCrypto parameters of a key for ECDH-ES. */
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
