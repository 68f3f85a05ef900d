import { createPublicKey, webcrypto } from 'node:crypto';
import { CompactEncrypt, FlattenedEncrypt, type FlattenedJWE } from 'jose';
import { algorithmOfKeyId, rsaParameters } from './card-key-algorithm.ts';

/** Accepts any JSON, so that tests can make faulty card data. */
export type ClearText = object;

export type EnvelopeForm = 'compact' | 'flattened';

const { subtle } = webcrypto;

/** Encrypts like a client (PAY-1). Throws when the prefix of `keyId` names no algorithm. */
export async function encryptCardData(
  publicKey: string | webcrypto.JsonWebKey,
  keyId: string,
  clearText: ClearText,
  form: EnvelopeForm = 'compact',
): Promise<string | FlattenedJWE> {
  const algorithm = algorithmOfKeyId(keyId);
  if (!algorithm) throw new Error('keyId must be <ALGORITHM>::<identifier>');
  const key = await importPublicKey(publicKey, rsaParameters(algorithm));
  const bytes = new TextEncoder().encode(JSON.stringify(clearText));
  if (algorithm === 'RSA-OAEP-SHA256' || algorithm === 'RSA-OAEP-SHA1') {
    return Buffer.from(await subtle.encrypt('RSA-OAEP', key, bytes)).toString('base64');
  }
  const header = { alg: algorithm, enc: 'A256GCM', kid: keyId } as const;
  return form === 'compact'
    ? new CompactEncrypt(bytes).setProtectedHeader(header).encrypt(key)
    : new FlattenedEncrypt(bytes).setProtectedHeader(header).encrypt(key);
}

async function importPublicKey(
  publicKey: string | webcrypto.JsonWebKey,
  rsa: ReturnType<typeof rsaParameters>,
): Promise<webcrypto.CryptoKey> {
  const key =
    typeof publicKey === 'string'
      ? createPublicKey(publicKey)
      : createPublicKey({ key: publicKey, format: 'jwk' });
  if (rsa) return key.toCryptoKey(rsa, true, ['encrypt']);
  return key.toCryptoKey({ name: 'ECDH', namedCurve: 'P-256' }, true, []);
}
