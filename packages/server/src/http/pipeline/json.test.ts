import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterTurn } from '@servery/support/runner.ts';
import fc from 'fast-check';
import { ApiError } from '../errors.ts';
import { MAX_JSON_KEYS, parseJson, parseJsonInTurns } from './json.ts';

const refusal = (text: string): string => {
  try {
    parseJson(text);
  } catch (error) {
    assert.ok(error instanceof ApiError, `not an ApiError: ${error}`);
    assert.equal(error.errorClass, 'badRequest');
    return error.message;
  }
  return assert.fail(`accepted: ${text.slice(0, 80)}`);
};

test('parseJson API-9: every JSON value comes out as JSON.parse gives it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false, maxDepth: 8 }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!text.includes('\\u0000') && !text.includes('"__proto__":'));
      assert.deepEqual(parseJson(text), JSON.parse(text));
      const spaced = JSON.stringify(value, null, 2);
      assert.deepEqual(parseJson(spaced), JSON.parse(text));
    }),
  );
});

test('parseJson API-9: text that JSON.parse refuses is refused, and nothing else throws', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'{}[]",:0123456789.eE+-truefalsn\\ \n') }),
      (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (!valid) refusal(text);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('parseJson 400 API-9: nesting is allowed to 32 levels and no deeper', () => {
  parseJson('['.repeat(32) + ']'.repeat(32));
  assert.match(refusal('['.repeat(33) + ']'.repeat(33)), /deeper than 32 levels.*column 33/);
  assert.match(refusal('{"a":'.repeat(100_000)), /deeper than 32/);
});

test('parseJson 400 API-9: a key given twice, __proto__ and NUL are named with their place', () => {
  assert.match(refusal('{"a":1,\n "a":2}'), /key "a" twice in one object \(line 2, column 2\)/);
  assert.match(refusal('{"a":1,"\\u0061":2}'), /key "a" twice/);
  assert.match(refusal('{"__proto__":{}}'), /__proto__/);
  assert.match(refusal('{"__pr\\u006fto__":{}}'), /__proto__/);
  assert.match(refusal('["a\\u0000b"]'), /NUL/);
  assert.match(refusal('["a\u0000b"]'), /control character/);
});

test('parseJson 400 API-9: numbers beyond double precision are refused, honest ones are not', () => {
  for (const fine of [
    '0.1',
    '10.00',
    '1e3',
    '-0',
    '0.30000000000000004',
    '9007199254740992',
    '1.7976931348623157e308',
    '0.000000000000000000001',
    '100000000000000000000',
    '5e-324',
  ]) {
    assert.equal(parseJson(fine), Number(fine));
  }
  for (const beyond of [
    '1e400',
    '-1e400',
    '9007199254740993',
    '0.1000000000000000055511151231257827',
    '1e-400',
    '12345678901234567890',
  ]) {
    assert.match(refusal(beyond), /beyond double precision/);
  }
});

test('parseJson API-9 PAY-6: 17 digits, as some languages write a double, are that double', () => {
  for (const text of ['19.989999999999998', '0.10000000000000001', '1.7000000000000000e+1']) {
    assert.equal(parseJson(text), Number(text));
  }
});

test('parseJson 400 PAY-I7: a refusal repeats no number and no key that could be a card number', () => {
  const number = '4111111111111111111';
  for (const text of [`{"amount":${number}}`, `{"${number}":1,"${number}":2}`]) {
    assert.ok(!refusal(text).includes('4111'));
  }
});

test('parseJson 400 API-9: an empty body and trailing text are refused', () => {
  assert.match(refusal(''), /ends too early/);
  assert.match(refusal('{} {}'), /more text after its end/);
  assert.match(refusal('{"a" 1}'), /":" after the key/);
  assert.match(refusal('[1 2]'), /"," or "\]"/);
});

test('parseJson API-9: a long text is parsed in turns, to the same value and faults', async () => {
  const list = Array.from({ length: 20_000 }, (_, at) => ({ at, name: `item "${at}"` }));
  const text = JSON.stringify(list);
  let turns = 0;
  let isParsed = false;
  const each = () => {
    turns += 1;
    if (!isParsed) afterTurn(each);
  };
  afterTurn(each);
  assert.deepEqual(await parseJsonInTurns(text), list);
  isParsed = true;
  assert.ok(turns > 5, `others had ${turns} turns`);
  await assert.rejects(parseJsonInTurns(`${text.slice(0, -1)},]`), /not valid JSON here/);
});

test('parseJson 400 API-9: an object has 10,000 keys and no more, and a number 400 digits', () => {
  const keys = (count: number) =>
    `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`;
  assert.equal(Object.keys(parseJson(keys(MAX_JSON_KEYS)) as object).length, MAX_JSON_KEYS);
  assert.match(refusal(keys(MAX_JSON_KEYS + 1)), /more than 10000 keys/);
  assert.equal(parseJson(`1.${'0'.repeat(390)}`), 1);
  // A pattern for zeros at the end once took minutes for this.
  assert.match(refusal(`[1.${'0'.repeat(900_000)}1]`), /fewer digits/);
});
