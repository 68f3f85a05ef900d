import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cardKeyAlgorithms, operationById, validateResponse } from '@servery/contract';
import { createVault } from '@servery/support/secret.ts';
import { Cache } from '../../src/freshness/cache.ts';
import type { Principal, RequestFor } from '../../src/http/operation.ts';
import { issueCardKey, moveCardKey } from '../../src/payments/cards/card-keys.ts';
import type { CardKeyCache } from '../../src/payments/cards/keyring.ts';
import { paymentHandlers } from '../../src/payments/partner/handlers.ts';
import { alwaysFresh } from '../freshness/caches.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { updateCardKeyClient } from './fixture-store.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

async function listKeys(principal: Principal) {
  const handlers = paymentHandlers(fixture.deps);
  const request = {
    operation: operationById('platform.cardEncryptionKeys.list'),
    principal,
  } as RequestFor<'platform.cardEncryptionKeys.list'>;
  const { json } = await handlers['platform.cardEncryptionKeys.list'](request);
  assert.deepEqual(validateResponse('platform.cardEncryptionKeys.list', 200, json), []);
  return json ?? [];
}

test('creditCards.authorize 200 PAY-3: a key of each algorithm encrypts a payment', async () => {
  for (const algorithm of cardKeyAlgorithms) {
    const { clientId } = fixture.client;
    const legacy = algorithm === 'RSA-OAEP-SHA1';
    const key = await issueCardKey(fixture.deps, { clientId, algorithm, legacy });
    assert.match(key.keyId, new RegExp(`^${algorithm}::[0-9a-f-]{36}$`));
    const { status, body } = await fixture.put({ body: await fixture.body({ key }) });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.paymentState, 'AUTHORIZED');
  }
});

test('creditCards.authorize 422 PAY-3: unknown and foreign keys are refused alike', async () => {
  const stranger = await fixture.addClient();
  const key = await fixture.addKey(stranger.clientId);
  const foreign = await fixture.put({ body: await fixture.body({ key }) });
  const unknown = await fixture.put({
    body: await fixture.body({ fields: { keyId: 'ECDH-ES::no' } }),
  });
  assert.equal(foreign.status, 422);
  assert.equal(unknown.text, foreign.text);
  assert.match(foreign.body.detail, /keyId names no live key of this client/);
});

test('creditCards.authorize 422 PAY-3: pending and retired keys are refused', async () => {
  const { clientId } = await fixture.addClient();
  const principal = { ...fixture.client, clientId };
  const key = await issueCardKey(fixture.deps, {
    clientId,
    algorithm: 'ECDH-ES',
    state: 'PENDING',
  });
  const put = async () =>
    (await fixture.put({ principal, body: await fixture.body({ key }) })).status;
  assert.equal(await put(), 422, 'pending');
  await moveCardKey(fixture.deps, clientId, key.keyId, 'ACTIVE');
  assert.equal(await put(), 200, 'active');
  await moveCardKey(fixture.deps, clientId, key.keyId, 'DECRYPT_ONLY');
  assert.equal(await put(), 200, 'decrypt-only');
  assert.deepEqual(await listKeys(principal), []);
  await moveCardKey(fixture.deps, clientId, key.keyId, 'DESTROYED');
  assert.equal(await put(), 422, 'destroyed');
  await assert.rejects(
    moveCardKey(fixture.deps, clientId, key.keyId, 'ACTIVE'),
    /is DESTROYED and cannot become ACTIVE/,
  );
});

test('creditCards.authorize 422 PAY-3: a key past its end is refused and not listed', async () => {
  const principal = await fixture.addClient();
  const { clientId } = principal;
  const notAfterMs = fixture.clock.nowMs() + 1_000;
  const key = await issueCardKey(fixture.deps, { clientId, algorithm: 'ECDH-ES', notAfterMs });
  const body = await fixture.body({ key });
  assert.equal((await fixture.put({ principal, body })).status, 200);
  assert.equal((await listKeys(principal))[0]?.notAfter, new Date(notAfterMs).toISOString());
  fixture.clock.advance(1_000);
  assert.equal((await fixture.put({ principal, body })).status, 422);
  assert.deepEqual(await listKeys(principal), []);
});

test('creditCards.authorize 422 PAY-3: a key that is remembered has its end', async () => {
  const freshness = alwaysFresh(fixture.database);
  const bytesOf = () => 1_000;
  const cardKeys: CardKeyCache = new Cache({ freshness, maxBytes: 100_000, bytesOf });
  const handlers = paymentHandlers({ ...fixture.deps, cardKeys });
  const principal = await fixture.addClient();
  const { clientId } = principal;
  for (const end of ['not after', 'destroyed']) {
    const notAfterMs = end === 'not after' ? fixture.clock.nowMs() + 1_000 : null;
    const key = await issueCardKey(fixture.deps, { clientId, algorithm: 'ECDH-ES', notAfterMs });
    const body = await fixture.body({ key });
    const put = async () => (await fixture.put({ principal, body, handlers })).status;
    const { hits } = cardKeys.use();
    assert.deepEqual([await put(), await put()], [200, 200]);
    assert.equal(cardKeys.use().hits, hits + 1, 'it is remembered');
    if (end === 'destroyed') await moveCardKey(fixture.deps, clientId, key.keyId, 'DESTROYED');
    else fixture.clock.advance(1_000);
    assert.equal(await put(), 422, end);
  }
});

test('creditCards.authorize 200 PAY-3: several keys of a client are live at once', async () => {
  const key = await fixture.addKey(fixture.client.clientId);
  for (const live of [key, fixture.key]) {
    assert.equal((await fixture.put({ body: await fixture.body({ key: live }) })).status, 200);
  }
});

test('creditCards.authorize 200 PAY-3: without keyId the legacy key is meant', async () => {
  const { clientId } = await fixture.addClient();
  const principal = { ...fixture.client, clientId, holdsLegacyCardKey: true };
  const algorithm = 'RSA-OAEP-SHA1';
  const key = await issueCardKey(fixture.deps, { clientId, algorithm, legacy: true });
  await fixture.addKey(clientId);
  const body = await fixture.body({ key, fields: { keyId: undefined } });
  assert.equal((await fixture.put({ principal, body })).body.paymentState, 'AUTHORIZED');
  const without = { ...principal, holdsLegacyCardKey: false };
  const refused = await fixture.put({ principal: without, body });
  assert.equal(refused.status, 400);
  assert.match(refused.body.description, /missing: keyId/);
});

test('creditCards.authorize 422 PAY-3: without keyId and legacy key: refused', async () => {
  const { clientId } = await fixture.addClient();
  const principal = { ...fixture.client, clientId, holdsLegacyCardKey: true };
  const key = await fixture.addKey(clientId);
  const body = await fixture.body({ key, fields: { keyId: undefined } });
  const refused = await fixture.put({ principal, body });
  assert.equal(refused.status, 422);
  assert.match(refused.body.detail, /no live legacy key/);
});

test('creditCards.authorize PAY-3: a key of SHA-1 is issued only as legacy', async () => {
  const { clientId } = fixture.client;
  await assert.rejects(
    issueCardKey(fixture.deps, { clientId, algorithm: 'RSA-OAEP-SHA1' }),
    /legacy/,
  );
});

test('creditCards.authorize 422 PAY-5: refused card data has one public text', async () => {
  const bodies = {
    'cannot be decrypted|not a JWE': await fixture.body({ fields: { encryptedCardData: 'AAAA' } }),
    Luhn: await fixture.body({ cardNumber: '4111111111111112' }),
    cardFirst6: await fixture.body({ metadata: { cardFirst6: '400000' } }),
    cardLast4: await fixture.body({ metadata: { cardLast4: '0000' } }),
    'billingAddress.postalCode': await fixture.body({ clearText: { zipCode: '02111' } }),
    'billingAddress.country': await fixture.body({ clearText: { country: 'CAN' } }),
    'no live key': await fixture.body({ fields: { keyId: 'ECDH-ES::other' } }),
    'cvv is missing': await fixture.body({ clearText: { cvv: undefined } }),
  };
  const texts = new Set<string>();
  for (const [reason, body] of Object.entries(bodies)) {
    const sandbox = await fixture.put({ body });
    assert.equal(sandbox.status, 422, reason);
    assert.match(sandbox.body.detail, new RegExp(`^encryptedCardData: .*(${reason})`));
    const production = await fixture.put({ body }, { kind: 'production' });
    assert.equal(production.status, 422, reason);
    texts.add(production.text);
  }
  assert.deepEqual([...texts], ['{"description":"The card data could not be verified."}']);
});

test('creditCards.authorize 422 PAY-11: only production checks card formats', async () => {
  const clearText = { cvv: 'abc', expMonth: '99', expYear: 'x', zipCode: '#' };
  const billingAddress = { postalCode: '#', country: 'USA' };
  const body = await fixture.body({ clearText, metadata: { billingAddress } });
  assert.equal((await fixture.put({ body })).status, 200);
  assert.equal((await fixture.put({ body }, { kind: 'production' })).status, 422);
});

test('creditCards.authorize 200 PAY-2: a vaulted card may come without cvv', async () => {
  const fields = { cardNumberOrigin: 'PARTNER_VAULT' };
  const body = await fixture.body({ fields, clearText: { cvv: undefined } });
  assert.equal((await fixture.put({ body })).status, 200);
});

test('platform.cardEncryptionKeys.list 200 PAY-4: its own live keys, newest first', async () => {
  const principal = await fixture.addClient();
  const older = await fixture.addKey(principal.clientId, 'RSA-OAEP-SHA256');
  fixture.clock.advance(1);
  const newer = await fixture.addKey(principal.clientId);
  const keys = await listKeys(principal);
  assert.deepEqual(
    keys.map((key) => key.keyId),
    [newer.keyId, older.keyId],
  );
  assert.deepEqual(keys[0], { ...newer, notAfter: null });
  assert.deepEqual(Object.keys(keys[1]?.publicKeyJwk ?? {}).sort(), [
    ...['alg', 'e', 'kid', 'kty', 'n', 'use'],
  ]);
});

test('creditCards.authorize PAY-3: a private key opens only in its own row', async () => {
  const [own, other] = [await fixture.addClient(), await fixture.addClient()];
  const key = await fixture.addKey(own.clientId);
  const body = await fixture.body({ key });
  await updateCardKeyClient(fixture.database.sql, key.keyId, other.clientId);
  await assert.rejects(fixture.put({ principal: other, body }), /the master key is not the one/);
  await updateCardKeyClient(fixture.database.sql, key.keyId, own.clientId);
  const vault = createVault(Buffer.alloc(32, 8));
  await assert.rejects(
    fixture.put({ principal: own, body }, { vault }),
    /the master key is not the one/,
  );
  assert.equal((await fixture.put({ principal: own, body })).status, 200);
});
