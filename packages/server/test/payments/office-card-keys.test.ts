import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CardKey } from '@servery/contract';
import type { Principal } from '../../src/http/operation.ts';
import { callOperation, principal, type TestAnswer } from '../request.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { findSealedKey, insertGroupClient, updateClientEnded } from './office-fixture-store.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

type Move = 'list' | 'issue' | 'activate' | 'retire' | 'destroy';

interface Call {
  readonly clientId?: string;
  readonly keyId?: string;
  readonly body?: unknown;
  readonly by?: Principal;
}

const platformWide = principal({ type: 'BACK_OFFICE' });

async function call(move: Move, parts: Call = {}): Promise<TestAnswer> {
  const { clientId = fixture.client.clientId, keyId = '', body, by = platformWide } = parts;
  return await callOperation(fixture.office, `backOffice.cardKeys.${move}`, {
    principal: by,
    params: { clientId, keyId },
    body,
    nowMs: fixture.clock.nowMs(),
  });
}

async function issued(body: object, clientId?: string): Promise<CardKey> {
  const answer = await call('issue', { body, ...(clientId ? { clientId } : {}) });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

test('backOffice.cardKeys.issue 200: a key pair is made; its private part stays', async () => {
  const notAfter = new Date(fixture.clock.nowMs() + 86_400_000).toISOString();
  const key = await issued({ algorithm: 'ECDH-ES', notAfter });
  const now = new Date(fixture.clock.nowMs()).toISOString();
  assert.match(key.keyId, /^ECDH-ES::/);
  assert.deepEqual(
    [key.clientId, key.state, key.legacy, key.notAfter, key.createdAt, key.stateChangedAt],
    [fixture.client.clientId, 'ACTIVE', false, notAfter, now, now],
  );
  assert.doesNotMatch(JSON.stringify(key), /PRIVATE|"d"/);
  const sealed = await findSealedKey(fixture.database.sql, key.keyId);
  assert.ok(sealed && sealed.length > 0);
  // A private key in PKCS #8 names its kind, id-ecPublicKey, in bytes that chance does not make.
  assert.ok(!sealed.includes(Buffer.from('06072a8648ce3d0201', 'hex')), 'sealed at rest');
});

test('backOffice.cardKeys.issue 200: an RSA key has 3072 bits, legacy or not', async () => {
  for (const body of [
    { algorithm: 'RSA-OAEP-SHA256' },
    { algorithm: 'RSA-OAEP-SHA1', legacy: true },
  ]) {
    const { publicKeyJwk } = await issued(body);
    assert.equal(Buffer.from(publicKeyJwk.n ?? '', 'base64url').length * 8, 3072);
  }
});

test('backOffice.cardKeys.issue 400 422: what is wrong is told, all of it', async () => {
  const missing = await call('issue', { body: {} });
  assert.equal(missing.status, 400);
  assert.match(missing.body.message, /algorithm is required and missing/);
  const past = new Date(fixture.clock.nowMs()).toISOString();
  for (const [body, told] of [
    [{ algorithm: 'RSA-2048' }, /algorithm must be one of RSA-OAEP-SHA256, .*, ECDH-ES/],
    [{ algorithm: 'RSA-OAEP-SHA1' }, /algorithm RSA-OAEP-SHA1 is deprecated: .*legacy true/],
    [{ algorithm: 'ECDH-ES', state: 'DESTROYED' }, /state must be one of PENDING, ACTIVE/],
    [{ algorithm: 'ECDH-ES', legacy: 'yes' }, /legacy must be true or false/],
    [{ algorithm: 'ECDH-ES', notAfter: 'soon' }, /notAfter must be an instant, for example/],
    [{ algorithm: 'ECDH-ES', notAfter: past }, /notAfter must be in the future/],
    [['ECDH-ES'], /must be an object/],
  ] as const) {
    const { status, body: error } = await call('issue', { body });
    assert.equal(status, 422, JSON.stringify(body));
    assert.match(error.message, told);
  }
});

test('backOffice.cardKeys.activate retire destroy 200: repeats are harmless', async () => {
  const { keyId } = await issued({ algorithm: 'ECDH-ES', state: 'PENDING' });
  for (const [move, state] of [
    ['activate', 'ACTIVE'],
    ['retire', 'DECRYPT_ONLY'],
    ['destroy', 'DESTROYED'],
  ] as const) {
    fixture.clock.advance(1_000);
    const first = await call(move, { keyId });
    assert.deepEqual([first.status, first.body.state], [200, state]);
    assert.equal(first.body.stateChangedAt, new Date(fixture.clock.nowMs()).toISOString());
    fixture.clock.advance(1_000);
    assert.deepEqual((await call(move, { keyId })).body, first.body);
  }
  assert.equal(await findSealedKey(fixture.database.sql, keyId), null, 'the private part is gone');
});

test('backOffice.cardKeys.activate retire 409: state and legal moves are told', async () => {
  const { keyId } = await issued({ algorithm: 'ECDH-ES', state: 'PENDING' });
  const refused = async (move: Move, told: RegExp) => {
    const { status, body } = await call(move, { keyId });
    assert.equal(status, 409);
    assert.match(body.message, told);
  };
  await refused('retire', /is PENDING and cannot become DECRYPT_ONLY; legal now: activate or des/);
  await call('activate', { keyId });
  await call('retire', { keyId });
  await refused('activate', /is DECRYPT_ONLY and cannot become ACTIVE; legal now: destroy\.$/);
  await call('destroy', { keyId });
  await refused('activate', /is DESTROYED and cannot become ACTIVE; no move is legal anymore/);
  await refused('retire', /is DESTROYED and cannot become DECRYPT_ONLY; no move is legal/);
});

test('backOffice.cardKeys.destroy 200: two at once destroy a key once', async () => {
  const { keyId } = await issued({ algorithm: 'ECDH-ES' });
  const moves = ['retire', 'destroy', 'destroy', 'retire'] as const;
  const answers = await Promise.all(moves.map((move) => call(move, { keyId })));
  for (const { status, body } of answers) {
    assert.ok(status === 200 || (status === 409 && /DESTROYED/.test(body.message)));
  }
  const { body } = await call('list');
  assert.equal(body.find((key: CardKey) => key.keyId === keyId).state, 'DESTROYED');
});

test('backOffice.cardKeys.list 200: every key that a client ever had, newest first', async () => {
  const { clientId } = await fixture.addClient();
  const first = await issued({ algorithm: 'ECDH-ES' }, clientId);
  await call('destroy', { clientId, keyId: first.keyId });
  fixture.clock.advance(1);
  const second = await issued({ algorithm: 'ECDH-ES', state: 'PENDING' }, clientId);
  const { status, body } = await call('list', { clientId });
  assert.equal(status, 200);
  assert.deepEqual(
    body.map(({ keyId, state }: CardKey) => [keyId, state]),
    [
      [second.keyId, 'PENDING'],
      [first.keyId, 'DESTROYED'],
    ],
  );
});

test('backOffice.cardKeys.retire 200: the last active key may be retired', async () => {
  const { clientId } = await fixture.addClient();
  const { keyId } = await issued({ algorithm: 'ECDH-ES' }, clientId);
  const { status, body } = await call('retire', { clientId, keyId });
  assert.deepEqual([status, body.state], [200, 'DECRYPT_ONLY']);
});

test('backOffice.cardKeys 404: unknown, foreign and out of reach sound the same', async () => {
  const { sql } = fixture.database;
  const { managementGroupGuid } = fixture.merchant;
  const inGroup = await insertGroupClient(sql, 'CUSTOMER', managementGroupGuid);
  const elsewhere = (await fixture.addMerchant('USD')).managementGroupGuid;
  const outside = await insertGroupClient(sql, 'CUSTOMER', elsewhere);
  const officeClient = await insertGroupClient(sql, 'BACK_OFFICE', managementGroupGuid);
  const by = principal({ type: 'BACK_OFFICE', managementGroupGuid });
  const { keyId } = await issued({ algorithm: 'ECDH-ES', state: 'PENDING' }, outside);
  const body = { algorithm: 'ECDH-ES' };
  assert.equal((await call('issue', { clientId: inGroup, body, by })).status, 200);
  assert.equal((await call('list', { clientId: inGroup, by })).status, 200);
  const answers = [
    await call('list', { clientId: outside, by }),
    await call('list', { clientId: fixture.client.clientId, by }),
    await call('list', { clientId: 'nobody', by }),
    await call('list', { clientId: officeClient }),
    await call('issue', { clientId: outside, body, by }),
    await call('activate', { clientId: outside, keyId, by }),
    await call('retire', { clientId: inGroup, keyId, by }),
    await call('destroy', { keyId }),
    await call('destroy', { keyId: 'ECDH-ES::nothing' }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 404),
  );
  assert.equal(new Set(answers.map((answer) => answer.body.message)).size, 1);
  for (const path of [{ clientId: 'no\0body' }, { keyId: 'ECDH-ES::\0' }]) {
    const { status, body: error } = await call('destroy', path);
    assert.equal(status, 404);
    assert.match(error.message, /Id must .* Check the path\.$/);
  }
  const [kept] = (await call('list', { clientId: outside })).body;
  assert.equal(kept.state, 'PENDING');
});

test('backOffice.cardKeys 200 422: an ended client gets no key; its old ones go', async () => {
  const { clientId } = await fixture.addClient();
  const { keyId } = await issued({ algorithm: 'ECDH-ES' }, clientId);
  await updateClientEnded(fixture.database.sql, clientId, new Date(fixture.clock.nowMs()));
  const refused = await call('issue', { clientId, body: { algorithm: 'ECDH-ES' } });
  assert.equal(refused.status, 422);
  assert.match(refused.body.message, /The client was revoked/);
  assert.equal((await call('destroy', { clientId, keyId })).status, 200);
});
