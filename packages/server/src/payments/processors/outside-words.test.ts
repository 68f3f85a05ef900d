import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import { withoutCardData } from './outside-words.ts';

const NUMBER = '4929123456789017';
const OTHER = '5555555555554444';
const CODE = '737';
const card = { number: NUMBER, securityCode: CODE };
const toAuthorize = { key: 'auth:1:1', card };
const toOthers = { key: 'void:1', authorizationKey: 'auth:1:1' };
const calls = { authorize: toAuthorize, others: toOthers };

const approval = {
  outcome: 'approved',
  authorizationCode: '173741',
  amountMinor: 1250,
  currencyCode: 'USD',
  reference: 'hold-8f14e45f',
} as const;

const grouped = (number: string, mark: string) => number.replaceAll(/(\d{4})(?=\d)/g, `$1${mark}`);
const fullWidth = (text: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const percentEncoded = (text: string) => text.replaceAll(/\d/g, (digit) => `%3${digit}`);
const inBase64 = (text: string) => Buffer.from(text).toString('base64');
const inArabic = (text: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));
const names = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const spelt = (text: string) => [...text].map((digit) => names[Number(digit)]).join(' ');

/** All ways in which the tests write the card number, or another one. */
const written = (number: string) => [
  number,
  ...['.', ' ', '-', '/', ' . ', '\n', '\u00a0', '_'].map((mark) => grouped(number, mark)),
  ...[fullWidth, percentEncoded, inBase64, inArabic, spelt].map((write) => write(number)),
  Buffer.from(number).toString('hex'),
  `&#${[...number].map((digit) => digit.charCodeAt(0)).join(';&#')};`,
];

const writtenCodes = [
  ...[CODE, fullWidth(CODE), percentEncoded(CODE), inBase64(CODE), inArabic(CODE), spelt(CODE)],
  ...['7 3 7', '7-3-7', 'cvv737'],
];

test('withoutCardData PAY-I7: an explanation is kept only when it is made of plain words', () => {
  const quoted = [...written(NUMBER), ...written(OTHER), ...writtenCodes];
  for (const outcome of ['notProcessed', 'notFound', 'unknown'] as const) {
    for (const call of Object.values(calls)) {
      for (const text of quoted) {
        const given = { outcome, explanation: `card ${text} does not match` };
        const kept = JSON.stringify(withoutCardData(given, call));
        assert.ok(!kept.includes(text) && !kept.includes('match'), `${kept} of ${text}`);
        assert.doesNotMatch(kept, /\d/);
      }
      const explanation = `The issuer's host (Europe/West) is away: no hold, see the IVR; auth:1:1`;
      assert.deepEqual(withoutCardData({ outcome, explanation }, call), { outcome, explanation });
    }
  }
});

test('withoutCardData PAY-I7: a sandbox’s security code of letters goes as well', () => {
  const call = { key: 'auth:1:1', card: { number: NUMBER, securityCode: 'Kanarie' } };
  for (const text of ['the code kanarie is wrong', 'the code ka-na-rie is wrong']) {
    const kept = withoutCardData({ outcome: 'unknown', explanation: text }, call);
    assert.doesNotMatch(JSON.stringify(kept), /rie/);
  }
});

test('withoutCardData PAY-I7: an approval that repeats the card number is an unknown outcome', () => {
  const quotes = [
    ...['', '.', '-', '_', ':'].map((mark) => ({ reference: grouped(NUMBER, mark) })),
    { reference: `ref-${NUMBER}` },
    { reference: `00${NUMBER}99` },
    { reference: [...NUMBER].join('x') },
    { authorizationCode: NUMBER.slice(0, 8) },
    { authorizationCode: NUMBER.slice(-8) },
    { authorizationCode: NUMBER.slice(0, 6), reference: `r${NUMBER.slice(6)}` },
    { authorizationCode: NUMBER.slice(9), reference: `r${NUMBER.slice(0, 9)}` },
    { more: fullWidth(NUMBER) },
  ];
  for (const quote of quotes) {
    const kept = withoutCardData({ ...approval, ...quote }, toAuthorize);
    assert.deepEqual(
      kept,
      { outcome: 'unknown', explanation: 'the answer repeats a card number' },
      JSON.stringify(quote),
    );
  }
});

test('withoutCardData PAY-I7: a reference of 12 digits and more is an unknown outcome', () => {
  for (const call of Object.values(calls)) {
    for (const quote of [
      ...['', '.', '-', '_', ':'].map((mark) => ({ reference: grouped(OTHER, mark) })),
      { reference: '123456789012' },
    ]) {
      const { outcome } = withoutCardData({ ...approval, ...quote }, call);
      assert.equal(outcome, 'unknown', JSON.stringify(quote));
    }
  }
});

test('withoutCardData PAY-I7: an authorization code that is the security code is unknown', () => {
  for (const [authorizationCode, securityCode] of [
    ['000737', '737'],
    ['CVV737', '737'],
    ['000012', '0012'],
    ['kanarie9', 'Kanarie'],
  ] as const) {
    const call = { key: 'auth:1:1', card: { number: NUMBER, securityCode } };
    const { outcome } = withoutCardData({ ...approval, authorizationCode }, call);
    assert.equal(outcome, 'unknown', authorizationCode);
  }
});

test('withoutCardData PAY-I7: a reference that may hold card data is not kept', () => {
  const maybe = [
    ...[`ref-${OTHER}`, `ref-${grouped(OTHER, '-')}`, `x00${OTHER}99`],
    ...[`half-${NUMBER.slice(0, 8)}`, `a${NUMBER.slice(3, 11)}z`],
    ...['cvv-737', 'a7-37', '8f737c'],
  ];
  for (const reference of maybe) {
    const kept = withoutCardData({ ...approval, reference }, toAuthorize);
    assert.deepEqual(kept, { ...approval, reference: null }, reference);
  }
  for (const reference of [
    'hold-8f14e45f',
    '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35',
    'T98172635401',
  ]) {
    const given = { ...approval, reference };
    assert.deepEqual(withoutCardData(given, toAuthorize), given);
    const unseen = withoutCardData(given, toOthers);
    assert.deepEqual(unseen, { ...given, reference: null }, 'nothing to compare it with');
  }
});

test('withoutCardData: what the protocol does not know is dropped', () => {
  const more = { isUnsent: true, card: OTHER };
  for (const answer of [
    approval,
    { outcome: 'declined', responseCode: '51' },
    { outcome: 'notProcessed', explanation: 'no' },
  ] as ProcessorAnswer[]) {
    const given: ProcessorAnswer = Object.assign({ ...answer }, more);
    assert.deepEqual(withoutCardData(given, toAuthorize), answer);
  }
});
