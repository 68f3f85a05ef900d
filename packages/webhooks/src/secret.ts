import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const NEW_SECRET_BYTES = 32;
/** What Standard Webhooks asks of a secret at least. */
const LEAST_SECRET_BYTES = 24;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Makes a secret of 256 random bits, in the form of Standard Webhooks: `whsec_` and Base64. */
export function makeSecret(): string {
  return PREFIX + randomBytes(NEW_SECRET_BYTES).toString('base64');
}

/**
 * Whether text is a secret as the platform makes and shows them: `whsec_` and Base64 of 24 bytes at
 * least. Receivers of others may well have secrets without the prefix, which `verify` takes, too.
 */
export function isSecret(text: string): boolean {
  const key = text.startsWith(PREFIX) ? standardKeyOf(text) : null;
  return key !== null && key.length >= LEAST_SECRET_BYTES;
}

/**
 * The key of the Standard Webhooks signature: the bytes that stand in Base64 after `whsec_`. Null
 * for text that is no such secret.
 */
export function standardKeyOf(secret: string): Buffer | null {
  const text = secret.trim();
  const base64 = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  if (base64 === '' || !BASE64.test(base64)) return null;
  return Buffer.from(base64, 'base64');
}

/** The key of the branded signature: the secret's whole text as it was shown, in UTF-8. */
export function brandedKeyOf(secret: string): Buffer {
  return Buffer.from(secret.trim());
}

/** A parsed secret, for callers that sign often. */
export interface PreparedSecret {
  readonly standardKey: KeyObject;
  readonly brandedKey: KeyObject;
}

/** Reads a secret for `signatureHeaders`. Throws for text that is no secret. */
export function prepareSecret(secret: string): PreparedSecret {
  const key = standardKeyOf(secret);
  if (key === null) throw new Error('a secret is whsec_ and Base64');
  return {
    standardKey: createSecretKey(key),
    brandedKey: createSecretKey(brandedKeyOf(secret)),
  };
}
