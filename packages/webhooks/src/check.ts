import { base64BytesOf, bytesOf, textOf } from './bytes.ts';
import { explainMismatch } from './explain-mismatch.ts';
import { defaultWebhookBrand, standardHeaderNames, webhookHeaderNames } from './header-names.ts';
import { type HeadersLike, headerOf } from './headers-like.ts';
import { presentMs } from './present.ts';
import {
  type Body,
  brandedKeyOf,
  brandedParts,
  bytesOfParts,
  standardKeyOf,
  standardParts,
} from './signed-bytes.ts';
import { type Invalid, invalid, type Verdict } from './verdict.ts';

/** What a receiver got, and the secrets that it knows. */
export interface ReceivedWebhook {
  readonly headers: HeadersLike;
  /** The raw body, before anything parsed it. */
  readonly body: Body;
  /** One secret, or during a rotation, all that may be in use. */
  readonly secrets: string | readonly string[];
}

/** How strictly a signature is checked. */
export interface VerifyOptions {
  /** How old, or how far in the future, the attempt may be, in seconds. */
  readonly toleranceSeconds?: number;
  /** The current time in epoch milliseconds. Default: the machine's clock. */
  readonly nowMs?: number;
  /** `Platform` when absent. */
  readonly brand?: string;
}

/** What only cryptography can answer: is one of these digests the HMAC-SHA256 of the bytes? */
export interface Question {
  readonly key: Uint8Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly digests: readonly Uint8Array<ArrayBuffer>[];
}

/** A check that asks its questions one by one, of whatever cryptography there is. */
export type Check = Generator<Question, Verdict, boolean>;

const DEFAULT_TOLERANCE_SECONDS = 300;
const DIGEST_BYTES = 32;

/** The check of the signature of Standard Webhooks. */
export function* checkStandard(received: ReceivedWebhook, options: VerifyOptions): Check {
  const { headers } = received;
  const body = receivedBytes(received.body);
  if ('isValid' in body) return body;
  const keys: Uint8Array<ArrayBuffer>[] = [];
  for (const secret of secretsOf(received)) {
    const key = standardKeyOf(secret);
    if (key === null) return notASecret;
    keys.push(key);
  }
  if (keys.length === 0) return notASecret;
  const read = readStandardHeaders(headers);
  if ('isValid' in read) return read;
  const { id, timestampSeconds, digests } = read;
  const makerOf = function* (bytes: Uint8Array): Generator<Question, number, boolean> {
    const signed = bytesOfParts(standardParts({ id, timestampSeconds, body: bytes }));
    return yield* findKey(keys, signed, digests);
  };
  const secretIndex = yield* makerOf(body);
  if (secretIndex < 0) {
    const { brand = defaultWebhookBrand } = options;
    const proof = yield* checkBranded(received, { brand });
    if (proof.isValid) return headerChanged(brand);
    return yield* explainMismatch(body, headers, function* (bytes) {
      return (yield* makerOf(bytes)) >= 0;
    });
  }
  const tolerance = options.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS;
  return checkAge(timestampSeconds * 1000, tolerance, options) ?? { isValid: true, secretIndex };
}

/** The check of the branded signature. */
export function* checkBranded(received: ReceivedWebhook, options: VerifyOptions): Check {
  const { headers } = received;
  const body = receivedBytes(received.body);
  if ('isValid' in body) return body;
  const secrets = secretsOf(received);
  if (secrets.some((secret) => secret.trim() === '') || secrets.length === 0) return notASecret;
  const name = webhookHeaderNames(options.brand ?? defaultWebhookBrand).signature;
  const text = headerOf(headers, name);
  if (text === null) return missing(name);
  const digest = digestOf(text);
  if (digest === null) return malformed(name, 'Base64 of 32 bytes');
  const keys = secrets.map(brandedKeyOf);
  const makerOf = function* (bytes: Uint8Array): Generator<Question, number, boolean> {
    return yield* findKey(keys, bytesOfParts(brandedParts(bytes, timestampOf(bytes) ?? '')), [
      digest,
    ]);
  };
  const secretIndex = yield* makerOf(body);
  if (secretIndex < 0) {
    return yield* explainMismatch(body, headers, function* (bytes) {
      return (yield* makerOf(bytes)) >= 0;
    });
  }
  const tolerance = options.toleranceSeconds ?? Number.POSITIVE_INFINITY;
  const atMs = Date.parse(timestampOf(body) ?? '');
  return checkAge(atMs, tolerance, options) ?? { isValid: true, secretIndex };
}

/** Which of the keys made one of the digests; -1 for none. */
function* findKey(
  keys: readonly Uint8Array<ArrayBuffer>[],
  bytes: Uint8Array<ArrayBuffer>,
  digests: readonly Uint8Array<ArrayBuffer>[],
): Generator<Question, number, boolean> {
  for (const [index, key] of keys.entries()) {
    if (yield { key, bytes, digests }) return index;
  }
  return -1;
}

const notASecret = invalid(
  'malformedSecret',
  'This is not a webhook secret. A secret is whsec_ followed by Base64, as it was shown once.',
);

function missing(name: string): Invalid {
  return invalid(
    'missingHeader',
    `The header ${name} is missing: something in front of your receiver removed it, or this is ` +
      'not a webhook.',
  );
}

/** What is left where the branded signature, which covers no header, fits body and secret. */
function headerChanged(brand: string): Invalid {
  const { id, timestamp, signature } = standardHeaderNames;
  return invalid(
    'headerChanged',
    `The body and the secret are right, as ${webhookHeaderNames(brand).signature} proves. But ` +
      `${id}, ${timestamp}, or ${signature} is not what was sent: something changed or mixed up ` +
      'the headers, or somebody is replaying a captured webhook.',
  );
}

function malformed(name: string, form: string): Invalid {
  return invalid('malformedHeader', `The header ${name} is not ${form}.`);
}

/** JavaScript callers may pass an object that a framework already parsed. */
function receivedBytes(body: unknown): Uint8Array | Invalid {
  if (typeof body === 'string') return bytesOf(body);
  if (body instanceof Uint8Array) return body;
  return invalid(
    'bodyReserialized',
    'The body was already parsed. Pass the raw bytes, before anything parses them.',
  );
}

/** JavaScript callers may pass a variable that is not set, which is no secret. */
function secretsOf({ secrets }: ReceivedWebhook): readonly string[] {
  const all: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  return all.map((each) => (typeof each === 'string' ? each : ''));
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

function digestOf(base64: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(base64)) return null;
  const bytes = base64BytesOf(base64);
  return bytes.length === DIGEST_BYTES ? bytes : null;
}

function timestampOf(body: Uint8Array): string | null {
  try {
    const { timestamp } = JSON.parse(textOf(body)) as { timestamp?: unknown };
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
    `The signature is right, but the attempt is ${age}, and ${toleranceSeconds} are allowed: ` +
      'somebody is replaying it, or the clock of this machine is wrong.',
  );
}
