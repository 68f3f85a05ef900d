import {
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  hash,
  type KeyObject,
} from 'node:crypto';
import { isJsonObject } from '../../http/json-object.ts';

export interface DirectlyOpened {
  readonly plaintext: Uint8Array;
  readonly kid: string | undefined;
}

/** Longer texts aren't decrypted on the event loop. */
const LENGTH_MAX = 4_096;

/** Five base64url parts; the encrypted key is empty. */
const COMPACT = /^([\w-]+)\.\.([\w-]{16})\.([\w-]+)\.([\w-]{22})$/;
const COORDINATE = /^[\w-]{43}$/;
const USUAL_MEMBERS = new Set(['alg', 'enc', 'epk', 'kid', 'typ']);

/**
 * Opens the most common JWE: compact ECDH-ES over P-256 with direct agreement and A256GCM (RFC
 * 7518, sections 4.6 and 5.3). Only the slow agreement runs on another thread; jose would do four
 * such steps, which cost more. Returns null for any other form or any failure, which jose then
 * handles.
 */
export async function openDirectAgreement(
  privateKey: KeyObject,
  compact: string,
): Promise<DirectlyOpened | null> {
  if (compact.length > LENGTH_MAX) return null;
  const [, head = '', nonce = '', ciphertext = '', tag = ''] = COMPACT.exec(compact) ?? [];
  try {
    const header: unknown = JSON.parse(bytesOf(head).toString());
    const sender = senderOf(header);
    if (!sender) return null;
    const agreed = await agree(privateKey, sender.publicKey);
    const contentKey = hash('sha256', Buffer.concat([KDF_BEFORE, agreed, KDF_BEHIND]), 'buffer');
    agreed.fill(0);
    const decipher = createDecipheriv('aes-256-gcm', contentKey, bytesOf(nonce), TAG_LENGTH);
    contentKey.fill(0);
    decipher.setAAD(Buffer.from(head)).setAuthTag(bytesOf(tag));
    const plaintext = decipher.update(bytesOf(ciphertext));
    // Throws when the tag doesn't match, before any of the bytes are used.
    decipher.final();
    return { plaintext, kid: sender.kid };
  } catch {
    return null;
  }
}

const TAG_LENGTH = { authTagLength: 16 };

const KDF_BEFORE = Buffer.from([0, 0, 0, 1]);
const KDF_BEHIND = Buffer.concat([
  ...[Buffer.from([0, 0, 0, 7]), Buffer.from('A256GCM')],
  ...[Buffer.alloc(8), Buffer.from([0, 0, 1, 0])],
]);

function senderOf(header: unknown): { publicKey: KeyObject; kid: string | undefined } | null {
  if (!isJsonObject(header) || !isJsonObject(header.epk)) return null;
  const { alg, enc, kid, epk } = header;
  if (alg !== 'ECDH-ES' || enc !== 'A256GCM') return null;
  if (!Object.keys(header).every((name) => USUAL_MEMBERS.has(name))) return null;
  if (kid !== undefined && typeof kid !== 'string') return null;
  const { kty, crv, x, y, ...others } = epk;
  if (kty !== 'EC' || crv !== 'P-256' || Object.keys(others).length > 0) return null;
  if (!isCoordinate(x) || !isCoordinate(y)) return null;
  // Refuses a point that isn't on the curve.
  return { publicKey: createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' }), kid };
}

function isCoordinate(value: unknown): value is string {
  return typeof value === 'string' && COORDINATE.test(value);
}

function agree(privateKey: KeyObject, publicKey: KeyObject): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    diffieHellman({ privateKey, publicKey }, (error, secret) => {
      if (error) reject(error);
      else resolve(secret);
    });
  });
}

function bytesOf(base64url: string): Buffer {
  return Buffer.from(base64url, 'base64url');
}
