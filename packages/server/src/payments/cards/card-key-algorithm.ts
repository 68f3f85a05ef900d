import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { cardKeyAlgorithms } from '@servery/contract';

/** The first two are bare RSA-OAEP with one hash for OAEP and MGF1, the others JWE (PAY-3). */
export type CardKeyAlgorithm = (typeof cardKeyAlgorithms)[number];

export function algorithmOfKeyId(keyId: string): CardKeyAlgorithm | null {
  const [name, identifier] = keyId.split('::');
  if (!identifier) return null;
  return cardKeyAlgorithms.find((algorithm) => algorithm === name) ?? null;
}

export function rsaParameters(algorithm: CardKeyAlgorithm): RsaHashedImportParams | null {
  if (algorithm === 'ECDH-ES') return null;
  return { name: 'RSA-OAEP', hash: algorithm === 'RSA-OAEP-SHA1' ? 'SHA-1' : 'SHA-256' };
}

interface RsaHashedImportParams {
  readonly name: 'RSA-OAEP';
  readonly hash: 'SHA-1' | 'SHA-256';
}

export function jwkAlgorithm(algorithm: CardKeyAlgorithm): string {
  if (algorithm === 'ECDH-ES') return 'ECDH-ES';
  return algorithm === 'RSA-OAEP-SHA1' ? 'RSA-OAEP' : 'RSA-OAEP-256';
}

export const defaultCardKeyAlgorithms: readonly CardKeyAlgorithm[] = [
  'RSA-OAEP-SHA256',
  'ECDH-ES',
  'RSA-OAEP-256',
];

/** Every JOSE library supports P-256. */
export const ecdhParameters = { name: 'ECDH', namedCurve: 'P-256' } as const;

const RSA_BITS = 3072;

export interface CardKeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const newKeyPair = promisify(generateKeyPair);

/** An RSA pair takes up to a second of a thread. */
export function makeCardKeyPair(algorithm: CardKeyAlgorithm): Promise<CardKeyPair> {
  return algorithm === 'ECDH-ES'
    ? newKeyPair('ec', { namedCurve: ecdhParameters.namedCurve })
    : newKeyPair('rsa', { modulusLength: RSA_BITS });
}
