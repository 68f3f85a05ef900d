import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../support/test/any-character.ts';
import { removeCardNumbers } from '../../src/text/card-number-removal.ts';
import { mayHoldNumber } from '../../src/text/sent-number.ts';
import { holdsNumber } from '../../src/text/spelled-number.ts';
import { spellingOf, spellings } from './hunt/spellings.ts';

const numbers = fc.constantFrom(
  '4000007295018364',
  '4111111111111111',
  '378282246310005',
  '6205500000000000004',
  '501800000009',
);
const nth = fc.nat({ max: 100_000 });
const composed = fc.tuple(nth, nth, nth).map((way) => spellingOf(...way));
const around = fc.string({ unit: anyCharacter, maxLength: 40 });

test('removeCardNumbers PAY-14: each of 200 spellings goes, and its text with it', () => {
  for (const { name, write } of spellings(200)) {
    const written = write('4000007295018364');
    for (const text of [written, `card ${written}, thanks`]) {
      const kept = removeCardNumbers(text, '4000007295018364');
      assert.ok(kept !== text && !kept.includes(written), `${name}: ${kept}`);
    }
  }
});

test('removeCardNumbers PAY-14: any spelling in any text goes', () => {
  fc.assert(
    fc.property(numbers, composed, around, around, (number, { name, write }, before, behind) => {
      const written = write(number);
      const kept = removeCardNumbers(`${before} ${written} ${behind}`, number);
      assert.ok(!kept.includes(written), `${name}: ${kept}`);
      assert.ok(!kept.replaceAll(/[^0-9]/g, '').includes(number), `${name}: ${kept}`);
    }),
    { numRuns: 500 },
  );
});

test('removeCardNumbers PAY-14: what can be cut out is cut out, and the rest stays', () => {
  const number = '4000007295018364';
  for (const mark of ['', '\t', '\u00a0', ',', '/', '_', ' - ']) {
    const written = number.replaceAll(/(.{4})(?=.)/g, `$1${mark}`);
    const kept = removeCardNumbers(`the card ${written}, retried`, number);
    assert.equal(kept, 'the card [card number removed], retried');
  }
});

const texts = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(...'0123456789 -%&#;xu\\=ABab'), maxLength: 1_000 }),
  fc.base64String({ maxLength: 500 }),
  fc.uuid(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.webUrl({ withQueryParameters: true }),
  fc.emailAddress(),
  fc.json(),
  fc.tuple(composed, fc.constant('4999999999999999')).map(([{ write }, other]) => write(other)),
);

test('removeCardNumbers: a text without the number is as it is without a card', () => {
  fc.assert(
    fc.property(texts, numbers, (text, number) => {
      assert.equal(removeCardNumbers(text, number), removeCardNumbers(text));
    }),
    { numRuns: 700 },
  );
});

test('mayHoldNumber PAY-14: the number is found in names and values, but not in the card', () => {
  const number = '4000007295018364';
  const spaced = '4000 0072 9501 8364';
  const sound = { amount: 10.5, requestMetadata: { userAgent: 'a', list: [1, null, true] } };
  assert.equal(mayHoldNumber([sound, { encryptedCardData: number }], number), false);
  for (const sent of [
    { ...sound, userAgent: Buffer.from(spaced).toString('base64') },
    { ...sound, [spaced]: 1 },
    { ...sound, deep: [[{ deeper: { number: Number(number) } }]] },
    { text: 'a'.repeat(30_000) },
    { cookie: { name: Buffer.from(spaced).toString('base64') } },
    { guids: spaced.split(' ') },
  ]) {
    assert.equal(mayHoldNumber(sent, number), true, JSON.stringify(sent).slice(0, 100));
  }
});

test('holdsNumber: 200,000 characters of anything are looked through in a moment', () => {
  const units = ['4 ', '4', 'A1', '%25', '&amp;', '&#52;', '４', '\ufdfa', '四', 'a\u0315\u0300'];
  for (const unit of [...units, 'NDEx', '\n', ' ', 'one', '3431', '%', '\\u00', '&#x34']) {
    const text = unit.repeat(200_000 / unit.length);
    const began = process.threadCpuUsage();
    holdsNumber(text, '4000007295018364');
    const { user, system } = process.threadCpuUsage(began);
    // Some ten milliseconds; an hour where each character is looked at again and again.
    assert.ok(user + system < 20_000_000, `${JSON.stringify(unit)}: ${user + system} µs`);
  }
});
