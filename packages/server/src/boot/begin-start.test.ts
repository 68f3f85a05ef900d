import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyPairsAhead } from './begin-start.ts';

test('start: a key pair that was made ahead is given out once, for its own algorithm', async () => {
  const ahead = keyPairsAhead();
  const pairs = await Promise.all([
    ahead.newCardKeyPair('RSA-OAEP-SHA256'),
    ahead.newCardKeyPair('RSA-OAEP-256'),
    ahead.newCardKeyPair('ECDH-ES'),
    ahead.newCardKeyPair('ECDH-ES'),
    ahead.newSigningKeyPair(),
    ahead.newSigningKeyPair(),
  ]);
  assert.equal(new Set(pairs.map(({ privateKey }) => privateKey)).size, pairs.length);
  const [plain, envelope, curve, curveAgain] = pairs;
  for (const [pair, name] of [
    [plain, 'rsa'],
    [envelope, 'rsa'],
    [curve, 'ec'],
    [curveAgain, 'ec'],
  ] as const) {
    assert.ok(pair && 'asymmetricKeyType' in pair.privateKey);
    assert.equal(pair.privateKey.asymmetricKeyType, name);
  }
});
