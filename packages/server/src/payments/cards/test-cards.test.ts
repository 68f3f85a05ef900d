import assert from 'node:assert/strict';
import { test } from 'node:test';
import { denialFor, staffTexts } from '../life/denials.ts';
import { CardDataFault, readCardData } from './card-data.ts';
import { testCards } from './test-cards.ts';

const brands = {
  '4111111111111111': 'VISA',
  '5555555555554444': 'MASTERCARD',
  '2223003122003222': 'MASTERCARD',
  '378282246310005': 'AMEX',
  '6011111111111117': 'DISCOVER',
  '30569309025904': 'DINERS_CLUB',
  '3530111333300000': 'JCB',
  '6200000000000005': 'UNIONPAY',
  '6759649826438453': 'MAESTRO',
};

/** The kinds of refusals, with their response codes. */
const classes = {
  declined: ['05'],
  contactIssuer: ['01'],
  cardNumber: ['14', '15'],
  expired: ['54'],
  funds: ['51'],
  limit: ['61', '65'],
  notPermitted: ['03', '12', '13', '57', '58', '62', '78'],
  lostOrStolen: ['04', '41', '43'],
  fraud: ['59', '63'],
  securityCode: ['82'],
  issuerUnreachable: ['91', '96'],
};

test('creditCards.authorize 200: every test card is valid for its brand', () => {
  for (const row of testCards) {
    const clearText = {
      cardNumber: row.number,
      zipCode: '02110',
      cvv: '1234'.slice(0, row.cvvLength),
      expMonth: '12',
      expYear: '30',
      country: 'USA',
    };
    const bytes = () => new TextEncoder().encode(JSON.stringify(clearText));
    const rules = { cardNumberOrigin: 'END_USER', checksFormats: true } as const;
    assert.equal(readCardData(bytes(), rules).brand, row.brand, row.number);
    clearText.cvv = '1234'.slice(0, 7 - row.cvvLength);
    assert.throws(() => readCardData(bytes(), rules), CardDataFault, row.number);
  }
});

test('creditCards.authorize 200: the test cards cover brands, refusals, faults', () => {
  assert.ok(testCards.length >= 40);
  assert.equal(new Set(testCards.map((row) => row.number)).size, testCards.length);
  const brandOf = new Map(testCards.map(({ number, brand }) => [number, brand]));
  for (const [number, brand] of Object.entries(brands)) assert.equal(brandOf.get(number), brand);
  const refused = testCards.map(({ isoCode }) => isoCode);
  assert.deepEqual(Object.keys(staffTexts).sort(), Object.values(classes).flat().sort());
  for (const [name, isoCodes] of Object.entries(classes)) {
    assert.ok(
      refused.some((isoCode) => isoCode && isoCodes.includes(isoCode)),
      name,
    );
  }
});

test('creditCards.authorize 200: denial texts hint at neither fraud nor codes', () => {
  const silent = [...classes.fraud, ...classes.securityCode, ...classes.lostOrStolen];
  const neutral = denialFor('05').guestText;
  for (const isoCode of Object.keys(staffTexts)) {
    const { guestText } = denialFor(isoCode);
    assert.doesNotMatch(guestText, /fraud|cvv|cvc|code|stolen|lost|suspect|security|risk/i);
    if (silent.includes(isoCode)) assert.equal(guestText, neutral, isoCode);
  }
  assert.equal(denialFor('Q9').guestText, neutral, 'an unknown code');
});
