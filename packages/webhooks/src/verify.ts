import { timingSafeEqual } from 'node:crypto';
import { explainMismatch } from './explain-mismatch.ts';
import { defaultWebhookBrand, standardHeaderNames, webhookHeaderNames } from './header-names.ts';
import { type HeadersLike, headerOf } from './headers-like.ts';
import { presentMs } from './present.ts';
import { standardKeyOf } from './secret.ts';
import { type Body, brandedDigest, standardDigest } from './sign.ts';
import { type Invalid, invalid, type Verdict } from './verdict.ts';

/** What a receiver got, and what it knows. */
export interface ReceivedWebhook {
  readonly headers: HeadersLike;
  /** The body as it came, before anything parsed it. */
  readonly body: Body;
  /** One secret, or all that may be in use while one takes over from another. */
  readonly secrets: string | readonly string[];
}

/** How strictly a signature is checked. */
export interface VerifyOptions {
  /** How far the attempt may be from the present, in seconds, in both directions. */
  readonly toleranceSeconds?: number;
  /** The present in epoch milliseconds; the machine's clock when absent. */
  readonly nowMs?: number;
  /** `Platform` when absent. */
  readonly brand?: string;
}

const DEFAULT_TOLERANCE_SECONDS = 300;
const DIGEST_BYTES = 32;

/**
 * Checks the signature of Standard Webhooks, which covers the event's guid, the time of the attempt
 * and the body: what a receiver should check. An attempt may be 300 seconds old unless
 * `toleranceSeconds` says otherwise. Never throws.
 */
export function verify(received: ReceivedWebhook, options: VerifyOptions = {}): Verdict {
  const { headers } = received;
  const body = bytesOf(received.body);
  if (!Buffer.isBuffer(body)) return body;
  const keys = secretsOf(received).map(standardKeyOf);
  if (keys.length === 0 || keys.includes(null)) return notASecret;
  const read = readStandardHeaders(headers);
  if ('isValid' in read) return read;
  const { id, timestampSeconds, digests } = read;
  const makers = keys.map((key) => (bytes: Buffer) => {
    return standardDigest(key ?? bytes, { id, timestampSeconds, body: bytes });
  });
  const secretIndex = makers.findIndex((make) => isAmong(digests, make(body)));
  if (secretIndex < 0) {
    const isSigned = (bytes: Buffer) => makers.some((make) => isAmong(digests, make(bytes)));
    const { brand = defaultWebhookBrand } = options;
    const isProven = verifyBranded(received, { brand }).isValid;
    return isProven ? headerChanged(brand) : explainMismatch(body, headers, isSigned);
  }
  const tolerance = options.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS;
  return checkAge(timestampSeconds * 1000, tolerance, options) ?? { isValid: true, secretIndex };
}

/**
 * Checks the branded signature, which covers the body and the body's own timestamp. It tells
 * nothing of the attempt: a captured webhook stays valid forever, and a late retry has an old
 * timestamp, so that the age is checked only where `toleranceSeconds` is given. While two secrets
 * live it is made with the older one. Never throws.
 */
export function verifyBranded(received: ReceivedWebhook, options: VerifyOptions = {}): Verdict {
  const { headers } = received;
  const body = bytesOf(received.body);
  if (!Buffer.isBuffer(body)) return body;
  const secrets = secretsOf(received);
  if (secrets.some((secret) => secret.trim() === '') || secrets.length === 0) return notASecret;
  const name = webhookHeaderNames(options.brand ?? defaultWebhookBrand).signature;
  const text = headerOf(headers, name);
  if (text === null) return missing(name);
  const digest = digestOf(text);
  if (digest === null) return malformed(name, 'Base64 of 32 bytes');
  const makers = secrets.map((secret) => (bytes: Buffer) => {
    return brandedDigest(secret, bytes, timestampOf(bytes) ?? '');
  });
  const secretIndex = makers.findIndex((make) => isAmong([digest], make(body)));
  if (secretIndex < 0) {
    const isSigned = (bytes: Buffer) => makers.some((make) => isAmong([digest], make(bytes)));
    return explainMismatch(body, headers, isSigned);
  }
  const tolerance = options.toleranceSeconds ?? Number.POSITIVE_INFINITY;
  const atMs = Date.parse(timestampOf(body) ?? '');
  return checkAge(atMs, tolerance, options) ?? { isValid: true, secretIndex };
}

const notASecret = invalid(
  'malformedSecret',
  'What was given is no secret of a webhook: it is whsec_ and Base64, as it was shown once.',
);

function missing(name: string): Invalid {
  return invalid(
    'missingHeader',
    `The header ${name} is not there: something before this drops it, or this is no webhook.`,
  );
}

/** What is left where the branded signature, which covers no header, fits body and secret. */
function headerChanged(brand: string): Invalid {
  const { id, timestamp, signature } = standardHeaderNames;
  return invalid(
    'headerChanged',
    `Body and secret are right, as ${webhookHeaderNames(brand).signature} proves: ${id}, ` +
      `${timestamp} or ${signature} is not what was sent. Something changed or mixed the ` +
      'headers, or somebody sends a captured webhook again.',
  );
}

function malformed(name: string, form: string): Invalid {
  return invalid('malformedHeader', `The header ${name} is not ${form}.`);
}

/** JavaScript callers may pass an object that a framework already parsed. */
function bytesOf(body: unknown): Buffer | Invalid {
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return invalid(
    'bodyReserialized',
    'The body was parsed already. Hand in the bytes as they came, before anything parses them.',
  );
}

function secretsOf({ secrets }: ReceivedWebhook): readonly string[] {
  return typeof secrets === 'string' ? [secrets] : secrets;
}

function readStandardHeaders(headers: HeadersLike) {
  const names = standardHeaderNames;
  const id = headerOf(headers, names.id);
  const timestamp = headerOf(headers, names.timestamp);
  const signature = headerOf(headers, names.signature);
  if (id === null) return missing(names.id);
  if (timestamp === null) return missing(names.timestamp);
  if (signature === null) return missing(names.signature);
  if (!/^\d{1,12}$/.test(timestamp)) return malformed(names.timestamp, 'whole seconds');
  const digests = signature
    .split(/\s+/)
    .filter((one) => one.startsWith('v1,'))
    .flatMap((one) => digestOf(one.slice('v1,'.length)) ?? []);
  if (digests.length === 0) return malformed(names.signature, 'v1, and Base64 of 32 bytes');
  return { id, timestampSeconds: Number(timestamp), digests };
}

function digestOf(base64: string): Buffer | null {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length === DIGEST_BYTES && /^[A-Za-z0-9+/]{43}=$/.test(base64) ? bytes : null;
}

function isAmong(digests: readonly Buffer[], own: Buffer): boolean {
  return digests.some((digest) => timingSafeEqual(digest, own));
}

function timestampOf(body: Buffer): string | null {
  try {
    const { timestamp } = JSON.parse(body.toString()) as { timestamp?: unknown };
    return typeof timestamp === 'string' ? timestamp : null;
  } catch {
    return null;
  }
}

function checkAge(
  atMs: number,
  toleranceSeconds: number,
  { nowMs = presentMs() }: VerifyOptions,
): Invalid | null {
  const ageSeconds = Math.round((nowMs - atMs) / 1000);
  if (Math.abs(ageSeconds) <= toleranceSeconds) return null;
  const age = ageSeconds > 0 ? `${ageSeconds} seconds old` : `${-ageSeconds} seconds ahead`;
  return invalid(
    'clock',
    `The signature is right, but the attempt is ${age} and ${toleranceSeconds} are allowed: ` +
      'somebody sends it again, or the clock of this machine is wrong.',
  );
}
