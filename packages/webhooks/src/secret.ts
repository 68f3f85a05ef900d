import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { brandedKeyOf, SECRET_PREFIX, standardKeyOf } from './signed-bytes.ts';

const NEW_SECRET_BYTES = 32;
/** What Standard Webhooks asks of a secret at least. */
const LEAST_SECRET_BYTES = 24;

/** Makes a secret of 256 random bits, in the form of Standard Webhooks: `whsec_` and Base64. */
export function makeSecret(): string {
  return SECRET_PREFIX + randomBytes(NEW_SECRET_BYTES).toString('base64');
}

/**
 * Whether text is a secret as the platform makes and shows them: `whsec_` and Base64 of 24 bytes at
 * least. Receivers of others may well have secrets without the prefix, which `verify` takes, too.
 */
export function isSecret(text: string): boolean {
  const key = text.startsWith(SECRET_PREFIX) ? standardKeyOf(text) : null;
  return key !== null && key.length >= LEAST_SECRET_BYTES;
}

/** A parsed secret, for callers that sign often. */
export interface PreparedSecret {
  readonly standardKey: KeyObject;
  readonly brandedKey: KeyObject;
}

/** Reads a secret for `signatureHeaders`. Throws for text that is no secret. */
export function prepareSecret(secret: string): PreparedSecret {
  const key = standardKeyOf(secret);
  if (key === null) throw new Error('a secret is whsec_ followed by Base64');
  return {
    standardKey: createSecretKey(key),
    brandedKey: createSecretKey(brandedKeyOf(secret)),
  };
}
