import assert from 'node:assert/strict';
import { createPublicKey, randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { base64Form, cardDataOf, compactForm, encryptCard, formsOf } from './cards.ts';
import { DemoCallers } from './client.ts';
import type { DemoCardKey } from './demo.ts';
import { openRestaurants } from './fixtures.ts';
import {
  authorize,
  cardKey,
  cardWithOutcome,
  type PaymentBody,
  type PaymentChanges,
  paymentBody,
} from './payment.ts';
import { platformUnderTest } from './platform.ts';
import { messageOf } from './values.ts';

const platform = await platformUnderTest();
const { demo } = platform;
const callers = new DemoCallers(platform);
const partner = await callers.as('partner');
const [merchant] = openRestaurants(demo);
const card = cardWithOutcome(demo, 'AUTHORIZED');

async function pay(
  status: number,
  changes: PaymentChanges = {},
  damage: (body: PaymentBody) => void = () => undefined,
) {
  const body = await paymentBody(demo, { card, ...changes });
  damage(body);
  return authorize(partner, status, merchant, body);
}

const stateOf = (answer: { json: unknown }) =>
  (answer.json as { paymentState: string }).paymentState;

for (const key of demo.cardKeys) {
  for (const [form, encrypt] of Object.entries(formsOf(key.keyId))) {
    const algorithm = key.keyId.replace(/::.*/, '');
    test(`creditCards.authorize 200 PAY-1 PAY-3: ${form} is decrypted with ${algorithm}`, async () => {
      const clearText = JSON.stringify(cardDataOf(card));
      const encryptedCardData = await encrypt(key, clearText);
      assert.equal(stateOf(await pay(200, { key, encryptedCardData })), 'AUTHORIZED');
    });
  }
}

test('creditCards.authorize 200 PAY-1: all three forms are among the demo keys', () => {
  const forms = new Set(demo.cardKeys.flatMap(({ keyId }) => Object.keys(formsOf(keyId))));
  assert.ok(forms.has('a base64 string') && forms.has('a compact JWE'));
  assert.ok(forms.has('a flattened JWE object'));
});

test('platform.cardEncryptionKeys.list 200 PAY-4: own live keys, as JWK and PEM', async () => {
  const listed = (await partner.call('platform.cardEncryptionKeys.list', 200))
    .json as DemoCardKey[];
  const ids = ({ keyId }: DemoCardKey) => keyId;
  assert.deepEqual(listed.map(ids).sort(), demo.cardKeys.map(ids).sort());
  for (const { keyId, algorithm, publicKeyPem, publicKeyJwk } of listed) {
    assert.match(keyId, /^(RSA-OAEP-SHA256|RSA-OAEP-SHA1|RSA-OAEP-256|ECDH-ES)::.+$/);
    assert.ok(keyId.startsWith(`${algorithm}::`));
    const [fromPem, fromJwk] = [
      createPublicKey(publicKeyPem),
      createPublicKey({ key: publicKeyJwk, format: 'jwk' }),
    ];
    assert.ok(fromPem.equals(fromJwk));
    assert.match(publicKeyPem, /^-----BEGIN PUBLIC KEY-----/);
    assert.equal(publicKeyJwk.d, undefined);
  }
});

test('platform.cardEncryptionKeys.list 200 PAY-3 PAY-4: several are live, for one client', async () => {
  const group = await callers.as('group');
  const own = (await group.call('platform.cardEncryptionKeys.list', 200)).json as DemoCardKey[];
  assert.ok(demo.cardKeys.length > 1 && own.length > 0);
  const foreign = new Set(demo.cardKeys.map(({ keyId }) => keyId));
  assert.ok(own.every(({ keyId }) => !foreign.has(keyId)));
  const [key] = own;
  assert.ok(key);
  const body = await paymentBody(demo, { card, key, encryptedCardData: await plain(key) });
  assert.equal(stateOf(await authorize(group, 200, merchant, body)), 'AUTHORIZED');
  await authorize(partner, 422, merchant, body);
});

const plain = (key: DemoCardKey, data: object = {}) =>
  encryptCard(key, { ...cardDataOf(card), ...data });

test('creditCards.authorize 400 422 PAY-3: a missing key 400, an unknown one 422', async () => {
  await pay(400, {}, (body) => delete body.keyId);
  const known = cardKey(demo, 'RSA-OAEP-SHA256').keyId;
  const identifier = known.replace(/^.*::/, '');
  for (const keyId of ['', 'x', '::', identifier, `RSA-OAEP-SHA256::${randomUUID()}`]) {
    await pay(422, {}, (body) => Object.assign(body, { keyId }));
  }
  for (const keyId of [`ECDH-ES::${identifier}`, `NONE::${identifier}`, `${known} `]) {
    await pay(422, {}, (body) => Object.assign(body, { keyId }));
  }
});

test('creditCards.authorize 422 PAY-5: what does not decrypt', async () => {
  const key = cardKey(demo, 'RSA-OAEP-SHA256');
  const cipher = String(await plain(key));
  const bytes = Buffer.from(cipher, 'base64');
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(20) ^ 1, 20);
  const broken = ['', 'not base64 %%%', cipher.slice(8), flipped.toString('base64')];
  const more = [randomBytes(bytes.length).toString('base64'), randomBytes(5).toString('base64')];
  for (const encryptedCardData of [...broken, ...more, '!', 'a.b.c.d.e', '....', {}, { a: 1 }]) {
    await pay(422, {}, (body) => Object.assign(body, { encryptedCardData }));
  }
});

test('creditCards.authorize 422 PAY-1: a JWE that was altered, or of another algorithm', async () => {
  const key = demo.cardKeys.find(({ keyId }) => !/SHA/.test(keyId));
  assert.ok(key, 'a demo key for JWE');
  const parts = String(await compactForm(key, JSON.stringify(cardDataOf(card)))).split('.');
  const header = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const replaced = (index: number, text: string) =>
    parts.map((part, at) => (at === index ? text : part)).join('.');
  const altered = [
    replaced(0, header({ alg: 'none', enc: 'A256GCM' })),
    replaced(0, header({ alg: 'dir', enc: 'A256GCM' })),
    replaced(0, header({ alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', p2c: 1e9, p2s: 'AAAA' })),
    replaced(0, 'e30'),
    replaced(2, ''),
    replaced(3, Buffer.from('{"cardNumber":"1"}').toString('base64url')),
    replaced(4, 'AAAAAAAAAAAAAAAAAAAAAA'),
    parts.slice(0, 4).join('.'),
  ];
  for (const encryptedCardData of altered) await pay(422, { key, encryptedCardData });
});

test('creditCards.authorize 422 PAY-2: clear text that is not the published JSON', async () => {
  const key = cardKey(demo, 'RSA-OAEP-SHA256');
  for (const clearText of ['', 'x', '[]', 'null', '"4111"', '{}', '{"cardNumber":', '\u0000']) {
    const encryptedCardData = await base64Form(key, clearText);
    await pay(422, { encryptedCardData });
  }
  const notText = await base64Form(key, Buffer.from([0xff, 0xfe, 0x00, 0x80]));
  await pay(422, { encryptedCardData: notText });
});

test('creditCards.authorize 422 PAY-2: each field of the clear text is needed', async () => {
  for (const field of ['cardNumber', 'zipCode', 'expMonth', 'expYear', 'country', 'cvv']) {
    await pay(422, { cardData: { [field]: undefined } });
  }
});

test('creditCards.authorize 200 PAY-2: cvv may be absent with PARTNER_VAULT only', async () => {
  const vault = (body: PaymentBody) => {
    body.cardNumberOrigin = 'PARTNER_VAULT';
  };
  const answer = await pay(200, { cardData: { cvv: undefined } }, vault);
  assert.equal(stateOf(answer), 'AUTHORIZED');
  await pay(422, { cardData: { cvv: undefined } });
});

test('creditCards.authorize 422 PAY-5: a card number of a wrong digit or length', async () => {
  const last = Number(card.cardNumber.at(-1));
  const wrongDigit = card.cardNumber.slice(0, -1) + ((last + 1) % 10);
  for (const cardNumber of [wrongDigit, '4', '41111111', '0'.repeat(30), 'abcd', '', 4111]) {
    await pay(422, { cardData: { cardNumber } }, ({ requestMetadata }) => {
      requestMetadata.cardFirst6 = String(cardNumber).slice(0, 6);
      requestMetadata.cardLast4 = String(cardNumber).slice(-4);
    });
  }
});

test('creditCards.authorize 422 PAY-5: six, four and address match the data', async () => {
  const metadata = (change: object) => (body: PaymentBody) =>
    Object.assign(body.requestMetadata, change);
  await pay(422, {}, metadata({ cardFirst6: '400000' }));
  await pay(422, {}, metadata({ cardLast4: '0000' }));
  await pay(422, {}, metadata({ cardFirst6: '4111' }));
  await pay(422, {}, metadata({ billingAddress: { postalCode: '10001', country: 'USA' } }));
  await pay(422, {}, metadata({ billingAddress: { postalCode: '02110', country: 'CAN' } }));
  await pay(422, { cardData: { zipCode: '10001' } });
  await pay(422, { cardData: { country: 'CAN' } });
});

test('creditCards.authorize 422 PAY-5: in a sandbox the text names the exact reason', async () => {
  const mismatch = await pay(422, {}, (body) => {
    body.requestMetadata.cardLast4 = '0000';
  });
  const detail = String((mismatch.json as { detail?: string }).detail);
  assert.match(messageOf(mismatch) + detail, /cardLast4/);
});

test('creditCards.authorize 200 PAY-11: a sandbox checks no CVV, ZIP and expiry', async () => {
  const odd = { cvv: 'abc', expMonth: '13', expYear: '00', zipCode: 'not a ZIP' };
  const answer = await pay(200, { cardData: odd }, (body) => {
    body.requestMetadata.billingAddress.postalCode = 'not a ZIP';
  });
  assert.equal(stateOf(answer), 'AUTHORIZED');
});

test('creditCards.authorize 200: every brand of the test cards is authorized', async () => {
  const seen = new Set<string>();
  for (const each of demo.testCards.filter(({ outcome }) => outcome === 'AUTHORIZED')) {
    if (seen.has(each.brand)) continue;
    seen.add(each.brand);
    const answer = await authorize(partner, 200, merchant, await paymentBody(demo, { card: each }));
    const { authorizationMetadata } = answer.json as {
      authorizationMetadata: { cardBrand: string };
    };
    assert.equal(authorizationMetadata.cardBrand, each.brand);
  }
  assert.ok(seen.size >= 4);
});
