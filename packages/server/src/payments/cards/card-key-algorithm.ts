/**
 * How card data is encrypted with a key (PAY-3). The first two are a bare RSA-OAEP ciphertext in
 * base64, with the named hash for OAEP and for MGF1 alike; SHA-1 is deprecated. The others are a
 * JSON Web Encryption.
 */
export const cardKeyAlgorithms = [
  'RSA-OAEP-SHA256',
  'RSA-OAEP-SHA1',
  'RSA-OAEP-256',
  'ECDH-ES',
] as const;

/** One of the ways to encrypt card data. */
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
