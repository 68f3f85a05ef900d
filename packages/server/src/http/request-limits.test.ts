import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OperationId, operationById } from '@servery/contract';
import { ApiError } from './errors.ts';
import { checkLimits } from './request-limits.ts';

/** What a request is refused with; null when it is within the limits. */
function refusal(
  id: OperationId,
  body: unknown,
  query: Readonly<Record<string, string>> = {},
): ApiError | null {
  try {
    checkLimits(operationById(id), query, body);
    return null;
  } catch (error) {
    assert.ok(error instanceof ApiError, `not an ApiError: ${error}`);
    return error;
  }
}

const payment = (userAgent: string, more: object = {}) => ({
  requestMetadata: { userAgent, partnerServiceInfo: { instanceId: 'web' }, ...more },
});

test('creditCards.authorize 422 P13: each text over its limit is named, and no text is', () => {
  assert.equal(refusal('creditCards.authorize', payment('4'.repeat(2_000))), null);
  const error = refusal(
    'creditCards.authorize',
    payment('4 '.repeat(450_000), {
      guestEmail: '4'.repeat(1_001),
      partnerServiceInfo: { instanceId: 'x'.repeat(256) },
    }),
  );
  assert.equal(error?.errorClass, 'unprocessable');
  assert.deepEqual(error.faults, [
    {
      where: 'requestMetadata.partnerServiceInfo.instanceId',
      message: 'has 256 characters; at most 255 are allowed',
    },
    {
      where: 'requestMetadata.userAgent',
      message: 'has 900000 characters; at most 2000 are allowed',
    },
    {
      where: 'requestMetadata.guestEmail',
      message: 'has 1001 characters; at most 1000 are allowed',
    },
  ]);
  assert.match(error.message, /requestMetadata\.userAgent has 900000 characters; at most 2000/);
  assert.doesNotMatch(error.message, /4 4|44/);
});

test('creditCards.authorize P13: a character of two units counts once', () => {
  assert.equal(refusal('creditCards.authorize', payment('\u{1f600}'.repeat(2_000))), null);
  const [fault] =
    refusal('creditCards.authorize', payment('\u{1f600}'.repeat(2_001)))?.faults ?? [];
  assert.match(fault?.message ?? '', /^has 2001 characters/);
});

test('creditCards.authorize 422 P13: card data is bounded as text and as an object', () => {
  const sized = (encryptedCardData: unknown) =>
    refusal('creditCards.authorize', { encryptedCardData })?.faults.map(({ where }) => where);
  assert.equal(sized('a'.repeat(16_384)), undefined);
  assert.deepEqual(sized('a'.repeat(16_385)), ['encryptedCardData']);
  const ciphertext = 'a'.repeat(16_385);
  assert.deepEqual(sized({ ciphertext }), ['encryptedCardData.ciphertext']);
  const header = Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`k${at}`, 'x']));
  assert.deepEqual(sized({ header }), ['encryptedCardData.header']);
  assert.deepEqual(sized({ header: { ['4'.repeat(300)]: ciphertext } }), [
    'encryptedCardData.header.<key 1>',
    'encryptedCardData.header.<key 1>',
  ]);
});

test('stock.update 400 P13 S5: a list names the elements at fault, and a long one its length', () => {
  const long = { multiLocationId: '4'.repeat(256) };
  const error = refusal('stock.update', [{ multiLocationId: '4' }, long, { guid: long }, long]);
  assert.equal(error?.errorClass, 'badRequest');
  const places = error.faults.map(({ where }) => where);
  assert.deepEqual(places, ['[1].multiLocationId', '[3].multiLocationId']);
  const many = refusal('stock.update', Array(5_001).fill(long))?.faults;
  assert.deepEqual(many, [
    { where: 'the body', message: 'has 5001 elements; at most 5000 are allowed' },
  ]);
  assert.equal(refusal('stock.update', Array(5_000).fill(long))?.faults.length, 100);
});

test('auth.token 400 P13, stock.list 400 P13: forms and parameters have limits too', () => {
  assert.equal(refusal('auth.token', { scope: 'a '.repeat(2_048) }), null);
  assert.equal(refusal('auth.token', { scope: 'a '.repeat(2_049) })?.errorClass, 'badRequest');
  const query = { status: '4'.repeat(256) };
  assert.deepEqual(refusal('stock.list', undefined, query)?.faults[0]?.where, 'status');
});

test('P13: what no schema names is ignored, whatever it is', () => {
  const stray = { stray: 'x'.repeat(100_000), userAgent: ['x'.repeat(5_000)] };
  assert.equal(refusal('creditCards.authorize', { ...stray, requestMetadata: stray }), null);
  assert.equal(refusal('creditCards.authorize', 'x'.repeat(100_000)), null);
  assert.equal(refusal('backOffice.configuration.apply', 'x'.repeat(100_000)), null);
});
