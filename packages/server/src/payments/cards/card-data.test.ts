import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { brandOf } from '@servery/support/card-types.ts';
import { CardData, CardDataFault, checkClaims, readCardData } from './card-data.ts';

const sound = {
  cardNumber: '4111111111111111',
  zipCode: '02110',
  cvv: '123',
  expMonth: '12',
  expYear: '30',
  country: 'USA',
};

const strict = { cardNumberOrigin: 'END_USER', checksFormats: true } as const;
const sandbox = { cardNumberOrigin: 'END_USER', checksFormats: false } as const;

type Changes = Readonly<Record<string, unknown>>;

function bytesOf(changes: Changes): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ ...sound, ...changes }));
}

function faultOf(changes: Changes, rules: Parameters<typeof readCardData>[1] = strict): string {
  try {
    readCardData(bytesOf(changes), rules);
  } catch (error) {
    assert.ok(error instanceof CardDataFault);
    return error.message;
  }
  return '';
}

test('creditCards.authorize 200 PAY-2: the six fields of the clear text are read', () => {
  const card = readCardData(bytesOf({ unknown: 'ignored' }), strict);
  assert.deepEqual(card.reveal(), sound);
  assert.deepEqual([card.brand, card.first6, card.last4], ['VISA', '411111', '1111']);
});

test('creditCards.authorize 422 PAY-2: clear text that is no object is refused', () => {
  for (const text of ['', '{', '4111111111111111', '[]', 'null', '"4111111111111111"']) {
    assert.throws(
      () => readCardData(new TextEncoder().encode(text), strict),
      (error: Error) => error instanceof CardDataFault && !error.stack?.includes('411111'),
    );
  }
  assert.throws(() => readCardData(Uint8Array.of(0x7b, 0xff, 0x7d), strict), CardDataFault);
});

test('creditCards.authorize 422 PAY-2: each missing field of the clear text is refused', () => {
  for (const name of Object.keys(sound)) {
    for (const rules of [strict, sandbox]) {
      assert.match(faultOf({ [name]: undefined }, rules), new RegExp(`^${name} is missing`));
      assert.match(faultOf({ [name]: null }, rules), new RegExp(`^${name} is missing`));
    }
    assert.match(faultOf({ [name]: 7 }), new RegExp(`^${name} in the card data must be a string`));
  }
});

test('creditCards.authorize 422 PAY-2: cvv may be absent only with PARTNER_VAULT', () => {
  const vault = { ...strict, cardNumberOrigin: 'PARTNER_VAULT' } as const;
  for (const cvv of [undefined, null, '']) {
    assert.equal(faultOf({ cvv }, vault), '');
    assert.match(faultOf({ cvv }), /cvv is missing/);
  }
  assert.match(faultOf({ cvv: '12' }, vault), /cvv must have 3 digits/);
});

test('creditCards.authorize 422 PAY-5: a card number that fails the Luhn check is refused', () => {
  assert.match(faultOf({ cardNumber: '4111111111111112' }, sandbox), /Luhn/);
  for (const cardNumber of [
    '4111 1111 1111 1111',
    '41111111111',
    '4'.repeat(20),
    '411111111111111x',
  ]) {
    assert.match(faultOf({ cardNumber }, sandbox), /12 to 19 digits/);
  }
  assert.match(faultOf({ cardNumber: '378282246310000059' }, sandbox), /Luhn|digits/);
});

test('creditCards.authorize 422 PAY-11: production checks cvv, postal code, expiry', () => {
  assert.match(faultOf({ expMonth: '13' }), /expMonth/);
  assert.match(faultOf({ expMonth: '1' }), /expMonth/);
  assert.match(faultOf({ expYear: '2030' }), /expYear/);
  assert.match(faultOf({ cvv: '1234' }), /cvv must have 3 digits/);
  assert.match(faultOf({ cardNumber: '378282246310005' }), /cvv must have 4 digits/);
  assert.match(faultOf({ zipCode: '0211' }), /zipCode/);
  assert.equal(faultOf({ zipCode: '021101234' }), '', 'ZIP+4 without a separator');
  assert.equal(faultOf({ zipCode: 'K1A 0B1', country: 'CAN' }), '');
  assert.equal(faultOf({ zipCode: 'SW1A 1AA', country: 'GBR' }), '');
});

test('creditCards.authorize 200 PAY-11: in a sandbox those formats are free', () => {
  const free = { cvv: 'x', zipCode: '?', expMonth: '99', expYear: 'soon' };
  assert.equal(faultOf(free, sandbox), '');
});

test('creditCards.authorize 422 PAY-2: country must be a code of ISO 3166-1 alpha-3', () => {
  assert.match(faultOf({ country: 'US' }, sandbox), /country/);
});

test('creditCards.authorize 422 PAY-5: every difference from the request is named', () => {
  const card = new CardData(sound);
  const claims = { cardFirst6: '411111', cardLast4: '1111', postalCode: '02110', country: 'USA' };
  checkClaims(card, claims);
  const different = {
    cardFirst6: '411112',
    cardLast4: '1112',
    postalCode: '02111',
    country: 'CAN',
  };
  for (const [name, value] of Object.entries(different)) {
    const expected = /^(postalCode|country)$/.test(name) ? `billingAddress.${name}` : name;
    assert.throws(() => checkClaims(card, { ...claims, [name]: value }), {
      message: `the encrypted card data differs from ${expected}`,
    });
  }
  assert.throws(() => checkClaims(card, different), /cardFirst6 and cardLast4 and billing/);
});

test('creditCards.authorize PAY-I7: a card shows nothing of itself', () => {
  const card = new CardData(sound);
  const shown = [String(card), JSON.stringify({ card }), inspect(card, { depth: 9 }), `${card}`];
  for (const text of shown) assert.doesNotMatch(text, /4111|123|02110/);
});

test('creditCards.authorize PAY-I7: decrypted bytes are overwritten in any case', () => {
  for (const bytes of [
    bytesOf({}),
    bytesOf({ cvv: undefined }),
    new TextEncoder().encode('{4111'),
  ]) {
    try {
      readCardData(bytes, strict);
    } catch {
      // Refused or not, the bytes are gone.
    }
    assert.ok(bytes.every((byte) => byte === 0));
  }
});

test('creditCards.authorize 200: a number of no known brand has a brand all the same', () => {
  assert.equal(brandOf('9999999999999995'), 'UNKNOWN');
  assert.equal(brandOf('378282246310005'), 'AMEX');
});
