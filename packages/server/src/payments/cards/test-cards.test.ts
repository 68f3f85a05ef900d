import assert from 'node:assert/strict';
import { test } from 'node:test';
import { denialFor, listDenials } from '../life/denials.ts';
import { CardDataFault, readCardData } from './card-data.ts';
import { testCards } from './test-cards.ts';

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
  const brands = new Set(testCards.map((row) => row.brand));
  for (const brand of ['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'DINERS_CLUB', 'JCB']) {
    assert.ok(brands.has(brand), brand);
  }
  const refused = new Set(testCards.map((row) => row.isoCode && denialFor(row.isoCode).class));
  for (const { class: denialClass } of listDenials()) {
    assert.ok(refused.has(denialClass), denialClass);
  }
});

test('creditCards.authorize 200: denial texts hint at neither fraud nor codes', () => {
  const silent = ['fraud', 'securityCode', 'lostOrStolen'];
  const neutral = denialFor('05').guestText;
  for (const denial of listDenials()) {
    assert.doesNotMatch(denial.guestText, /fraud|cvv|cvc|code|stolen|lost|suspect|security|risk/i);
    if (silent.includes(denial.class)) assert.equal(denial.guestText, neutral, denial.isoCode);
  }
  assert.equal(denialFor('Q9').guestText, neutral, 'an unknown code');
});
