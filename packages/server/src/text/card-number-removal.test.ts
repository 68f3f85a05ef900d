import assert from 'node:assert/strict';
import { test } from 'node:test';
import cardValidator from 'card-validator';
import fc from 'fast-check';
import { removeCardNumbers } from './card-number-removal.ts';

const OWN = '4111111111111111';
const REMOVED = '[card number removed]';

test('removeCardNumbers PAY-I7: the own number goes, however it is written', () => {
  for (const text of [OWN, '4111 1111 1111 1111', '4111-1111-1111-1111', '4.1.1111111111111-1']) {
    assert.equal(removeCardNumbers(`a ${text} b`, OWN), `a ${REMOVED} b`);
  }
  assert.equal(removeCardNumbers(`00${OWN}99`, OWN), `00${REMOVED}99`, 'between other digits too');
});

test('removeCardNumbers PAY-I7: another card number goes as well, of any brand', () => {
  for (const number of [
    '5555555555554444',
    '5555 5555 5555 4444',
    '2223003122003222',
    '3782 822463 10005',
    '3056 930902 5904',
    '6011-1111-1111-1117',
    '6205500000000000004',
  ]) {
    assert.equal(removeCardNumbers(`pay ${number}, please`, OWN), `pay ${REMOVED}, please`, number);
  }
  assert.equal(
    removeCardNumbers('12 5555 5555 5555 4444 4242 4242 4242 4242', OWN),
    `12 ${REMOVED} ${REMOVED}`,
  );
});

test('removeCardNumbers PAY-I7: what follows and looks like expiry and code goes with it', () => {
  for (const tail of [' 123', ', cvv 1234', ' 12/30 123', ' exp 01/2031, code: 999', ' 03 - 27']) {
    assert.equal(removeCardNumbers(`${OWN}${tail}`, OWN), REMOVED, tail);
  }
  assert.equal(
    removeCardNumbers(`${OWN} leave at 12345 Elm`, OWN),
    `${REMOVED} leave at 12345 Elm`,
  );
});

test('removeCardNumbers PAY-I7: another card number goes, whatever marks it is grouped with', () => {
  const marks = ['\t', '\u00a0', '\u202f', '\u2011', ' – ', '+', '%20', '%09', '%C2%A0', ',', ', '];
  for (const mark of [...marks, '/', '_', '|', ':', '%2F', '&nbsp;']) {
    for (const groups of [
      ['5555', '5555', '5555', '4444'],
      ['3782', '822463', '10005'],
    ]) {
      const text = `pay ${groups.join(mark)}, please`;
      assert.equal(removeCardNumbers(text), `pay ${REMOVED}, please`, text);
    }
  }
  const fullWidth = '５５５５ ５５５５ ５５５５ ４４４４';
  assert.equal(removeCardNumbers(`Café ${fullWidth}!`), `Café ${REMOVED}!`);
});

test('removeCardNumbers: other texts stay as they are', () => {
  for (const text of [
    '',
    '+1 (617) 555-0123',
    '+49 30 1234567 ext 123',
    '2026-03-01 18.30.00 123',
    '203.0.113.255',
    '4111111111111112',
    '123 Main Street, 02110 Boston',
    '7f3c1c52-1111-4111-8111-111111111111',
    '4,8,15,16,23,42,4,8,15,16,23,42',
    'Room 4111/1111, order 1111_1112',
    '2026/11/22,2026/11/23,2026/11/24',
    'Été à Zürich, 東京都 1-2-3, ٤١١١',
  ]) {
    assert.equal(removeCardNumbers(text, OWN), text);
  }
});

test('removeCardNumbers: a GUID stays, whatever its digits look like', () => {
  const guid = '01a20394-f7e5-7466-9173-87204060b36b';
  assert.notEqual(removeCardNumbers(guid.slice(1)), guid.slice(1), 'they look like a card number');
  for (const around of ['*', 'of 5 *', '/a/*/b', '* *']) {
    const text = around.replaceAll('*', guid);
    assert.equal(removeCardNumbers(text.toUpperCase()), text.toUpperCase());
    assert.equal(removeCardNumbers(text), text);
  }
  assert.equal(removeCardNumbers(`${OWN} ${guid} ${OWN}`), `${REMOVED} ${guid} ${REMOVED}`);
  assert.equal(removeCardNumbers(`4111-1111-1111-1111-${guid}`), `${REMOVED}-${guid}`);
  const disguised = '41111111-1111-1111-8000-000000000000';
  for (const text of [disguised, `${disguised}-a`]) {
    assert.notEqual(removeCardNumbers(text), text, 'nobody draws one without a letter');
  }
});

const digit = fc.integer({ min: 0, max: 9 });
/** Digits with the leading ones of some brand and, mostly, a right check digit. */
const numbers = fc
  .tuple(
    fc.constantFrom('', '34', '36', '4', '401178', '51', '2223', '56', '60', '6011', '62', '63'),
    fc.array(digit, { minLength: 4, maxLength: 19 }),
    fc.boolean(),
  )
  .map(([leading, rest, isRight]) => {
    const digits = leading + rest.join('');
    const ending = Array.from({ length: 10 }, (_, last) => digits.slice(0, -1) + last);
    const right = ending.find((each) => cardValidator.number(each).isValid);
    return isRight && right !== undefined ? right : digits;
  });

test('removeCardNumbers PAY-I7: what it takes for a number is what the brands give', () => {
  fc.assert(
    fc.property(numbers, (digits) => {
      const isSound = digits.length >= 13 && digits.length <= 19;
      const { isValid, card } = cardValidator.number(digits, { luhnValidateUnionPay: true });
      const wanted = isSound && isValid && card !== null;
      assert.equal(removeCardNumbers(digits) === REMOVED, wanted, digits);
      const spaced = [...digits].join(' ');
      if (wanted) assert.notEqual(removeCardNumbers(spaced), spaced);
    }),
    { numRuns: 400 },
  );
});

test('removeCardNumbers: 300,000 characters of anything is looked through in a moment', () => {
  for (const unit of ['4 ', '41 ', '4', '4111 1111 1111 1112 ', '6.7-', '4%20', '4111,', '４ ']) {
    const text = unit.repeat(300_000 / unit.length);
    const costOf = () => {
      const began = process.threadCpuUsage();
      removeCardNumbers(text);
      const { user, system } = process.threadCpuUsage(began);
      return user + system;
    };
    // Three seconds where each digit is looked at again and again. What the host of a machine takes
    // away may count too, but not every time.
    let costUs = costOf();
    for (let turn = 2; turn <= 10 && costUs >= 1_200_000; turn += 1) costUs = costOf();
    assert.ok(costUs < 1_200_000, `${unit}: ${costUs} µs`);
  }
});

test('removeCardNumbers: each own number costs no more than the last one', () => {
  const began = process.threadCpuUsage();
  for (let at = 0; at < 300; at += 1) {
    const number = String(4_000_000_000_000_000 + at);
    assert.equal(removeCardNumbers(`é ${number}`, number), `é ${REMOVED}`);
  }
  const { user, system } = process.threadCpuUsage(began);
  // Two seconds where a pattern is made for each of them.
  assert.ok(user + system < 1_000_000, `${user + system} µs`);
});
