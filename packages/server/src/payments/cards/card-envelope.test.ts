import assert from 'node:assert/strict';
import { KeyObject, webcrypto } from 'node:crypto';
import { before, test } from 'node:test';
import { cardKeyAlgorithms } from '@servery/contract';
import { CompactEncrypt, type FlattenedJWE } from 'jose';
import { CardDataFault } from './card-data.ts';
import { type EncryptedCardData, type OpenedCardKey, openEnvelope } from './card-envelope.ts';
import { type CardKeyAlgorithm, rsaParameters } from './card-key-algorithm.ts';
import { encryptCardData } from './encrypt-card-data.ts';

const { subtle } = webcrypto;
const clearText = { cardNumber: '4111111111111111' };

interface Pair {
  readonly opened: OpenedCardKey;
  readonly publicJwk: webcrypto.JsonWebKey;
  readonly publicKey: webcrypto.CryptoKey;
}

async function makePair(algorithm: CardKeyAlgorithm): Promise<Pair> {
  const rsa = rsaParameters(algorithm);
  const publicExponent = new Uint8Array([1, 0, 1]);
  const pair: webcrypto.CryptoKeyPair = rsa
    ? await subtle.generateKey({ ...rsa, modulusLength: 2048, publicExponent }, true, [
        'encrypt',
        'decrypt',
      ])
    : await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
  const { privateKey } = pair;
  const agreementKey = rsa ? null : KeyObject.from(privateKey);
  const opened = { keyId: `${algorithm}::test`, algorithm, privateKey, agreementKey };
  const publicJwk = await subtle.exportKey('jwk', pair.publicKey);
  return { opened, publicJwk, publicKey: pair.publicKey };
}

const pairs = new Map<CardKeyAlgorithm, Pair>();
before(async () => {
  for (const algorithm of cardKeyAlgorithms) pairs.set(algorithm, await makePair(algorithm));
});

function pairOf(algorithm: CardKeyAlgorithm): Pair {
  const pair = pairs.get(algorithm);
  assert.ok(pair);
  return pair;
}

function encrypt(algorithm: CardKeyAlgorithm, form?: 'compact' | 'flattened') {
  const { opened, publicJwk } = pairOf(algorithm);
  return encryptCardData(publicJwk, opened.keyId, clearText, form);
}

async function open(algorithm: CardKeyAlgorithm, encrypted: unknown): Promise<unknown> {
  const bytes = await openEnvelope(pairOf(algorithm).opened, encrypted as EncryptedCardData);
  return JSON.parse(new TextDecoder().decode(bytes));
}

test('creditCards.authorize 200 PAY-1: base64 is opened, white space ignored', async () => {
  for (const algorithm of ['RSA-OAEP-SHA256', 'RSA-OAEP-SHA1'] as const) {
    const encrypted = (await encrypt(algorithm)) as string;
    assert.deepEqual(await open(algorithm, encrypted), clearText);
    const wrapped = `\n${encrypted.match(/.{1,64}/g)?.join('\r\n ')}\t`;
    assert.deepEqual(await open(algorithm, wrapped), clearText);
    assert.deepEqual(await open(algorithm, encrypted.replaceAll('=', '')), clearText);
  }
});

test('creditCards.authorize 200 PAY-1: a JWE is opened, compact and flattened', async () => {
  for (const algorithm of ['RSA-OAEP-256', 'ECDH-ES'] as const) {
    const compact = (await encrypt(algorithm)) as string;
    assert.equal(compact.split('.').length, 5);
    assert.deepEqual(await open(algorithm, compact), clearText);
    assert.deepEqual(
      await open(algorithm, `${compact.slice(0, 40)}\n${compact.slice(40)}`),
      clearText,
    );
    const flattened = (await encrypt(algorithm, 'flattened')) as FlattenedJWE;
    assert.deepEqual(await open(algorithm, JSON.parse(JSON.stringify(flattened))), clearText);
  }
});

test('creditCards.authorize 200 PAY-3: ECDH-ES may wrap the content key', async () => {
  const { publicKey } = pairOf('ECDH-ES');
  const bytes = new TextEncoder().encode(JSON.stringify(clearText));
  for (const alg of ['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A256KW'] as const) {
    for (const enc of ['A128GCM', 'A256GCM', 'A128CBC-HS256'] as const) {
      const jwe = await new CompactEncrypt(bytes)
        .setProtectedHeader({ alg, enc })
        .encrypt(publicKey);
      assert.deepEqual(await open('ECDH-ES', jwe), clearText, `${alg} ${enc}`);
    }
  }
});

test('creditCards.authorize 422 PAY-3: the key decides the algorithm', async () => {
  const crossed: [CardKeyAlgorithm, unknown][] = [
    ['RSA-OAEP-SHA256', await encrypt('RSA-OAEP-SHA1')],
    ['RSA-OAEP-SHA1', await encrypt('RSA-OAEP-SHA256')],
    ['RSA-OAEP-SHA256', await encrypt('RSA-OAEP-256')],
    ['RSA-OAEP-SHA256', await encrypt('RSA-OAEP-256', 'flattened')],
    ['RSA-OAEP-256', await encrypt('RSA-OAEP-SHA256')],
    ['RSA-OAEP-256', await encrypt('ECDH-ES')],
    ['ECDH-ES', await encrypt('RSA-OAEP-256')],
  ];
  for (const [algorithm, encrypted] of crossed) {
    await assert.rejects(open(algorithm, encrypted), CardDataFault, algorithm);
  }
});

test('creditCards.authorize 422 PAY-3: an algorithm of no key is refused', async () => {
  const bytes = new TextEncoder().encode(JSON.stringify(clearText));
  const direct = await new CompactEncrypt(bytes)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(new Uint8Array(32));
  await assert.rejects(open('ECDH-ES', direct), CardDataFault);
  const { publicKey } = pairOf('ECDH-ES');
  const otherKey = await new CompactEncrypt(bytes)
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: 'another' })
    .encrypt(publicKey);
  await assert.rejects(open('ECDH-ES', otherKey), /kid .* differs from keyId/);
});

test('creditCards.authorize 422 PAY-5: data that cannot be decrypted is refused', async () => {
  const compact = (await encrypt('ECDH-ES')) as string;
  const flattened = (await encrypt('ECDH-ES', 'flattened')) as FlattenedJWE;
  const end = compact.endsWith('A') ? 'Q' : 'A';
  const bad: [CardKeyAlgorithm, unknown][] = [
    ['RSA-OAEP-SHA256', ''],
    ['RSA-OAEP-SHA256', 'not base64!'],
    ['RSA-OAEP-SHA256', 'AAAA'],
    ['RSA-OAEP-SHA256', Buffer.alloc(256, 1).toString('base64')],
    ['ECDH-ES', ''],
    ['ECDH-ES', 'a.b.c.d.e'],
    ['ECDH-ES', 'AAAA'],
    ['ECDH-ES', `${compact.slice(0, -1)}${end}`],
    ['ECDH-ES', {}],
    ['ECDH-ES', { ...flattened, tag: undefined }],
    ['ECDH-ES', { ...flattened, ciphertext: 7 }],
    ['ECDH-ES', { ...flattened, iv: '' }],
  ];
  for (const [algorithm, encrypted] of bad) {
    const text = JSON.stringify(encrypted);
    await assert.rejects(open(algorithm, encrypted), CardDataFault, `${algorithm} ${text}`);
  }
});
