import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encryptCard } from './cards.ts';

const NOW_MS = Date.UTC(2026, 10, 28);
const card = {
  ...{ number: '4111 1111-1111 1111', expMonth: 1, expYear: '27', cvv: '123' },
  ...{ postalCode: '02110', country: 'USA' },
};

async function keyOf(algorithm: string, notAfter: string | null = null, name = 'RSA-OAEP') {
  const rsa = {
    name,
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  };
  const isCurve = algorithm === 'ECDH-ES';
  const pair = isCurve
    ? await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
    : await crypto.subtle.generateKey(rsa, true, ['encrypt', 'decrypt']);
  const jwk = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const { kty = '', crv, x, y, n, e } = jwk;
  const publicKeyJwk = JSON.parse(JSON.stringify({ kty, crv, x, y, n, e }));
  return { key: { keyId: `${algorithm}::1`, publicKeyJwk, notAfter }, pair };
}

const headerOf = (jwe: string) => JSON.parse(atob(jwe.split('.')[0] ?? ''));

test('cards: the best live key is taken, and nothing of the card is readable', async () => {
  const best = (await keyOf('ECDH-ES')).key;
  const second = (await keyOf('RSA-OAEP-256')).key;
  const encrypted = await encryptCard(card, [second, best], NOW_MS);
  assert.equal(encrypted.keyId, best.keyId);
  assert.deepEqual([encrypted.cardFirst6, encrypted.cardLast4], ['411111', '1111']);
  const { alg, enc, kid, epk } = headerOf(encrypted.encryptedCardData);
  assert.deepEqual([alg, enc, kid, epk.crv], ['ECDH-ES', 'A256GCM', best.keyId, 'P-256']);
  const retired = { ...best, notAfter: new Date(NOW_MS).toISOString() };
  const other = await encryptCard(card, [retired, second], NOW_MS);
  assert.equal(headerOf(other.encryptedCardData).alg, 'RSA-OAEP-256');
  assert.notEqual(
    (await encryptCard(card, [second], NOW_MS)).encryptedCardData,
    other.encryptedCardData,
  );
});

test('cards: the fields are as the platform wants them', async () => {
  const { key, pair } = await keyOf('RSA-OAEP-SHA256');
  const { encryptedCardData } = await encryptCard({ ...card, expYear: 2027 }, [key], NOW_MS);
  const bytes = Uint8Array.from(atob(encryptedCardData), (one) => one.charCodeAt(0));
  const clear = await crypto.subtle.decrypt('RSA-OAEP', pair.privateKey, bytes);
  assert.deepEqual(JSON.parse(new TextDecoder().decode(clear)), {
    ...{ cardNumber: '4111111111111111', expMonth: '01', expYear: '27', cvv: '123' },
    ...{ zipCode: '02110', country: 'USA' },
  });
});

test('cards: a card is good to the end of its month everywhere', async () => {
  const { key } = await keyOf('RSA-OAEP-SHA256');
  const at = (text: string) => encryptCard(card, [key], Date.parse(text));
  await at('2027-02-01T11:59:59Z');
  await assert.rejects(at('2027-02-01T12:00:00Z'), {
    field: 'card.expYear',
    message: 'card.expYear is in the past: the card expired in 01/27.',
  });
});

test('cards: a wrong key is refused before anything is sent', async () => {
  const { key } = await keyOf('RSA-OAEP-256');
  const refused = (keys: readonly (typeof key)[], problem: RegExp) =>
    assert.rejects(encryptCard(card, keys, NOW_MS), { field: 'keys', message: problem });
  await refused([], /is empty/);
  await refused([{ ...key, keyId: 'ROT13::1' }], /no active key/);
  await refused([{ ...key, keyId: 'ECDH-ES::1' }], /doesn't match its identifier/);
});
