import { base64BytesOf, bytesOf, joined } from './bytes.ts';

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

export const SECRET_PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/**
 * The key of the Standard Webhooks signature: the bytes that stand in Base64 after `whsec_`. Null
 * for text that is no such secret.
 */
export function standardKeyOf(secret: string): Uint8Array<ArrayBuffer> | null {
  const text = secret.trim();
  const base64 = text.startsWith(SECRET_PREFIX) ? text.slice(SECRET_PREFIX.length) : text;
  if (base64 === '' || !BASE64.test(base64)) return null;
  return base64BytesOf(base64);
}

/** The key of the branded signature: the secret's whole text as it was shown, in UTF-8. */
export function brandedKeyOf(secret: string): Uint8Array<ArrayBuffer> {
  return bytesOf(secret.trim());
}

/** What a Standard Webhooks signature covers, in parts that follow each other. */
export function standardParts({ id, timestampSeconds, body }: SignedAttempt): readonly Body[] {
  return [`${id}.${timestampSeconds}.`, body];
}

/** What a branded signature covers, in parts that follow each other. */
export function brandedParts(body: Body, bodyTimestamp: string): readonly Body[] {
  return [body, bodyTimestamp];
}

export function bytesOfParts(parts: readonly Body[]): Uint8Array<ArrayBuffer> {
  return joined(...parts.map((part) => (typeof part === 'string' ? bytesOf(part) : part)));
}
