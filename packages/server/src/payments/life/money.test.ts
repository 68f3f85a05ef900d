import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minorUnitDecimals } from '@servery/pricing';
import { Big } from 'big.js';
import fc from 'fast-check';
import { amountOnWire, MAX_AMOUNT_MINOR, readAmount } from './money.ts';

const currency = fc.constantFrom('USD', 'EUR', 'JPY', 'KRW', 'KWD', 'BHD', 'CLF');
const minor = fc.integer({ min: 0, max: MAX_AMOUNT_MINOR });

function faultOf(value: number, currencyCode: string): string | null {
  const reading = readAmount(value, currencyCode);
  return 'fault' in reading ? reading.fault : null;
}

test('creditCards.authorize 200 PAY-6: every amount goes to the wire and back unchanged', () => {
  fc.assert(
    fc.property(minor, currency, (amountMinor, code) => {
      const onWire = JSON.parse(JSON.stringify(amountOnWire(amountMinor, code)));
      assert.deepEqual(readAmount(onWire, code), { amountMinor });
    }),
  );
});

test('creditCards.authorize 200 PAY-6: decimal text is read without binary rounding', () => {
  fc.assert(
    fc.property(fc.nat(9_999_999), fc.nat(99), (units, cents) => {
      const written = JSON.parse(`${units}.${String(cents).padStart(2, '0')}`);
      assert.deepEqual(readAmount(written, 'USD'), { amountMinor: units * 100 + cents });
    }),
  );
});

test('creditCards.authorize 200 PAY-6: the noise of summing doubles is forgiven', () => {
  assert.deepEqual(readAmount(0.1 + 0.2, 'USD'), { amountMinor: 30 });
  assert.deepEqual(readAmount(19.99 * 3, 'USD'), { amountMinor: 5997 });
  assert.deepEqual(readAmount(1.1 + 2.2, 'KWD'), { amountMinor: 3300 });
});

test('creditCards.authorize 200 PAY-6: any double is read as its shortest decimal form', () => {
  const double = fc.double({ min: 0, max: 1e10, noNaN: true });
  const near = fc
    .tuple(minor, currency, fc.constantFrom(0, 1e-9, 1e-7, 1e-5, -1e-7))
    .map(([amountMinor, code, off]) => Math.max(0, amountOnWire(amountMinor, code) + off));
  fc.assert(
    fc.property(fc.oneof(double, near), currency, (value, code) => {
      const exact = new Big(value).times(new Big(10).pow(minorUnitDecimals(code)));
      const whole = exact.round(0, Big.roundHalfEven);
      const isAmount = exact.minus(whole).abs().lte('1e-6') && whole.lte(MAX_AMOUNT_MINOR);
      const reading = readAmount(value, code);
      assert.equal('amountMinor' in reading ? reading.amountMinor : null, isAmount ? +whole : null);
    }),
    { numRuns: 2_000 },
  );
});

test('creditCards.authorize 422 PAY-6: an amount between two minor units is refused', () => {
  fc.assert(
    fc.property(fc.nat(999_999), fc.integer({ min: 1, max: 9 }), (cents, tenths) => {
      const written = Number(
        `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}${tenths}`,
      );
      assert.match(faultOf(written, 'USD') ?? '', /at most 2 decimals/);
    }),
  );
  assert.match(faultOf(10.5, 'JPY') ?? '', /at most 0 decimals/);
  assert.equal(faultOf(10.125, 'KWD'), null);
  assert.match(faultOf(10.1255, 'KWD') ?? '', /at most 3 decimals/);
});

test('creditCards.authorize 422 PAY-6: 1e-6 of a minor unit is the border of float noise', () => {
  assert.equal(faultOf(1.00000001, 'USD'), null, '1e-6 of a cent');
  assert.match(faultOf(1.0000001, 'USD') ?? '', /decimals/);
});

test('creditCards.authorize 422 PAY-6: negative and oversized amounts are refused', () => {
  assert.match(faultOf(-0.01, 'USD') ?? '', /negative/);
  assert.match(faultOf(-1e-12, 'USD') ?? '', /negative/);
  assert.match(faultOf(1e10, 'USD') ?? '', /not be over 9999999999.99/);
  assert.match(faultOf(1e308, 'JPY') ?? '', /not be over/);
  assert.match(faultOf(Number.NaN, 'USD') ?? '', /finite/);
});

test('creditCards.authorize 200 PAY-6: negative zero is zero', () => {
  const reading = readAmount(-0, 'USD');
  assert.ok('amountMinor' in reading && Object.is(reading.amountMinor, 0));
});

test('creditCards.authorize 200 PAY-6: currencies have the decimals of ISO 4217', () => {
  const expected = { USD: 2, GBP: 2, JPY: 0, ISK: 0, KWD: 3, TND: 3, CLF: 4 };
  for (const [code, decimals] of Object.entries(expected)) {
    assert.equal(minorUnitDecimals(code), decimals, code);
  }
});
