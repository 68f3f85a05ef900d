import { createHmac, type KeyObject } from 'node:crypto';
import { defaultWebhookBrand, standardHeaderNames, webhookHeaderNames } from './header-names.ts';
import { type PreparedSecret, prepareSecret } from './secret.ts';
import {
  type Body,
  brandedKeyOf,
  brandedParts,
  type SignedAttempt,
  standardKeyOf,
  standardParts,
} from './signed-bytes.ts';

/**
 * One signature of Standard Webhooks: `v1,` and Base64(HMAC-SHA256(key, id.timestamp.body)), where
 * the key is what stands in Base64 after `whsec_`. Throws for text that is no such secret.
 */
export function signStandard(secret: string, attempt: SignedAttempt): string {
  const key = standardKeyOf(secret);
  if (key === null) throw new Error('a secret is whsec_ and Base64');
  return `v1,${sign(key, standardParts(attempt))}`;
}

/**
 * The branded signature: Base64(HMAC-SHA256(secret, body + the body's own timestamp text)), with
 * the secret's whole text as the key.
 */
export function signBranded(secret: string, body: Body, bodyTimestamp: string): string {
  return sign(brandedKeyOf(secret), brandedParts(body, bodyTimestamp));
}

/** One attempt with everything that its signatures need. */
export interface AttemptToSign extends SignedAttempt {
  /** The field `timestamp` of the body, as it stands there. */
  readonly bodyTimestamp: string;
  /** The live secrets, the oldest first: at least one, as text or as `prepareSecret` gives it. */
  readonly secrets: readonly (string | PreparedSecret)[];
  /** `Platform` when absent. */
  readonly brand?: string;
}

/**
 * The four headers that identify and sign an attempt. Standard Webhooks takes a signature by every
 * live secret, the newest first; the branded header holds one signature always, by the oldest live
 * secret, so that adding a second secret changes nothing for a receiver that compares it.
 */
export function signatureHeaders(attempt: AttemptToSign): Record<string, string> {
  const { id, timestampSeconds, body, bodyTimestamp, secrets } = attempt;
  const names = webhookHeaderNames(attempt.brand ?? defaultWebhookBrand);
  const keys = secrets.map((each) => (typeof each === 'string' ? prepareSecret(each) : each));
  const standard = standardParts(attempt);
  const [oldest] = keys;
  if (oldest === undefined) throw new Error('an attempt is signed with one secret at least');
  return {
    [names.signature]: sign(oldest.brandedKey, brandedParts(body, bodyTimestamp)),
    [standardHeaderNames.id]: id,
    [standardHeaderNames.timestamp]: String(timestampSeconds),
    [standardHeaderNames.signature]: keys
      .toReversed()
      .map(({ standardKey }) => `v1,${sign(standardKey, standard)}`)
      .join(' '),
  };
}

function sign(key: KeyObject | Uint8Array, parts: readonly Body[]): string {
  const hmac = createHmac('sha256', key);
  // Joining them first takes longer than signing, and this is done for every single delivery.
  for (const part of parts) hmac.update(part);
  return hmac.digest('base64');
}
