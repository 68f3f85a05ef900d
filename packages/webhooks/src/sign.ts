import { createHmac, type KeyObject } from 'node:crypto';
import { defaultWebhookBrand, standardHeaderNames, webhookHeaderNames } from './header-names.ts';
import { brandedKeyOf, type PreparedSecret, prepareSecret, standardKeyOf } from './secret.ts';

/** What is signed: the body's very bytes, or text that stands for them in UTF-8. */
export type Body = string | Uint8Array;

/** One attempt, as the signature of Standard Webhooks covers it. */
export interface SignedAttempt {
  /** The guid of the event: the same in every attempt. */
  readonly id: string;
  /** When the attempt is made, in whole seconds since the epoch. */
  readonly timestampSeconds: number;
  readonly body: Body;
}

/**
 * One signature of Standard Webhooks: `v1,` and Base64(HMAC-SHA256(key, id.timestamp.body)), where
 * the key is what stands in Base64 after `whsec_`. Throws for text that is no such secret.
 */
export function signStandard(secret: string, attempt: SignedAttempt): string {
  const key = standardKeyOf(secret);
  if (key === null) throw new Error('a secret is whsec_ and Base64');
  return `v1,${standardDigest(key, attempt).toString('base64')}`;
}

/** The 32 bytes of a Standard Webhooks signature. */
export function standardDigest(key: Buffer, attempt: SignedAttempt): Buffer {
  return createHmac('sha256', key).update(standardText(attempt)).digest();
}

/** What a Standard Webhooks signature covers. */
function standardText({ id, timestampSeconds, body }: SignedAttempt): Buffer {
  return Buffer.concat([Buffer.from(`${id}.${timestampSeconds}.`), bytesOf(body)]);
}

/**
 * The branded signature: Base64(HMAC-SHA256(secret, body + the body's own timestamp text)), with
 * the secret's whole text as the key.
 */
export function signBranded(secret: string, body: Body, bodyTimestamp: string): string {
  return brandedDigest(secret, body, bodyTimestamp).toString('base64');
}

/** The 32 bytes of a branded signature. */
export function brandedDigest(secret: string, body: Body, bodyTimestamp: string): Buffer {
  return createHmac('sha256', brandedKeyOf(secret)).update(body).update(bodyTimestamp).digest();
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
  // Everything is joined once and signed in one step: this is done for every single delivery.
  const standard = standardText(attempt);
  const branded = Buffer.concat([bytesOf(body), Buffer.from(bodyTimestamp)]);
  const [oldest] = keys;
  if (oldest === undefined) throw new Error('an attempt is signed with one secret at least');
  return {
    [names.signature]: sign(oldest.brandedKey, branded),
    [standardHeaderNames.id]: id,
    [standardHeaderNames.timestamp]: String(timestampSeconds),
    [standardHeaderNames.signature]: keys
      .toReversed()
      .map(({ standardKey }) => `v1,${sign(standardKey, standard)}`)
      .join(' '),
  };
}

function bytesOf(body: Body): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

function sign(key: KeyObject, bytes: Buffer): string {
  return createHmac('sha256', key).update(bytes).digest('base64');
}
