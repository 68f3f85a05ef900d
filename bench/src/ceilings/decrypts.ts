import assert from 'node:assert/strict';
import {
  constants,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  type KeyObject,
  privateDecrypt,
  type webcrypto,
} from 'node:crypto';
import { givenToWorker, rateOf, serveRounds } from './worker.ts';

// The ceiling of what decrypts card data: the decryption alone, one after the other on one thread,
// with as little around it as OpenSSL allows.

/** What is decrypted again and again. */
export interface DecryptOrder {
  readonly privateKeyJwk: webcrypto.JsonWebKey;
  /** `ECDH-ES` with A256GCM as a compact JWE, or RSA-OAEP with SHA-256 as base64. */
  readonly algorithm: 'ECDH-ES' | 'RSA-OAEP-SHA256';
  readonly encrypted: string;
  readonly clearText: string;
}

const order = givenToWorker<DecryptOrder>();
const privateKey = createPrivateKey({ key: order.privateKeyJwk, format: 'jwk' });
const decrypt = { 'ECDH-ES': openEcdhEs, 'RSA-OAEP-SHA256': openRsa }[order.algorithm];
assert.equal(decrypt(privateKey, order.encrypted).toString(), order.clearText);
serveRounds((seconds) =>
  rateOf(seconds, 1, () => {
    decrypt(privateKey, order.encrypted);
  }),
);

function openRsa(key: KeyObject, encrypted: string): Buffer {
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return privateDecrypt({ key, padding, oaepHash: 'sha256' }, Buffer.from(encrypted, 'base64'));
}

/** RFC 7518, section 4.6, with direct key agreement. */
function openEcdhEs(key: KeyObject, encrypted: string): Buffer {
  const [head = '', , iv = '', ciphertext = '', tag = ''] = encrypted.split('.');
  const { epk } = JSON.parse(Buffer.from(head, 'base64url').toString());
  const publicKey = createPublicKey({ key: epk, format: 'jwk' });
  const agreed = diffieHellman({ privateKey: key, publicKey });
  const contentKey = createHash('sha256').update(kdfInput(agreed)).digest();
  const decipher = createDecipheriv('aes-256-gcm', contentKey, Buffer.from(iv, 'base64url'));
  decipher.setAAD(Buffer.from(head)).setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([decipher.update(ciphertext, 'base64url'), decipher.final()]);
}

function kdfInput(agreed: Buffer): Buffer {
  const number = (value: number) => Buffer.from([0, 0, value >> 8, value & 255]);
  const name = Buffer.from('A256GCM');
  return Buffer.concat([
    ...[number(1), agreed, number(name.length), name],
    ...[number(0), number(0), number(256)],
  ]);
}
