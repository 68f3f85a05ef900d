import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duration, instant, oneOf } from './readers.ts';

test('servery clock advance: friendly durations become ISO 8601', () => {
  const known = {
    ...{ '5m': 'PT5M', '30s': 'PT30S', '7d': 'P7D', '2w': 'P2W', '1h30m': 'PT1H30M' },
    ...{ '1d 12h': 'P1DT12H', '1W1D': 'P1W1D', pt5m: 'PT5M', 'PT0.5S': 'PT0.5S', P1M: 'P1M' },
  };
  for (const [text, iso] of Object.entries(known)) assert.equal(duration(text), iso, text);
});

test('servery clock advance: what is not a positive duration is refused', () => {
  const wrong = ['', ' ', 'soon', '5', '5 minutes', '5m1h', 'P', 'PT', 'P1', '1.5h', '--5m', '-'];
  for (const text of [...wrong, `${'9'.repeat(20)}w`]) {
    assert.throws(() => duration(text), /is not a duration\. Use 30s, 5m/, text);
  }
  for (const text of ['0s', '0d0h', 'PT0S', '-0s']) {
    assert.throws(() => duration(text), /is no time at all/, text);
  }
  for (const text of ['-5m', '-PT5M', '-1d 12h']) {
    assert.throws(() => duration(text), /is negative\. .*"servery clock set"/, text);
  }
  assert.throws(() => duration('PT0.0001S'), /"PT0\.0001S" is too precise\. .*milliseconds/);
});

test('servery: an instant needs an offset and a year of four digits', () => {
  assert.equal(instant('2026-03-29T03:30+02:00'), '2026-03-29T01:30:00.000Z');
  for (const text of ['2026-03-29T03:30:00', '2026-02-30T03:30:00Z', '+012026-03-29T03:30:00Z']) {
    assert.throws(() => instant(text, '--from '), /^CommandFailure: --from ".*" is not a time/);
  }
  const dateAlone = /^CommandFailure: --from "2026-11-29" is a date .*: 2026-11-29T00:00:00Z is /;
  assert.throws(() => instant('2026-11-29', '--from '), dateAlone);
});

test('servery: a choice is taken in any case, and as the platform writes it', () => {
  const read = oneOf({ 'back-office': 'BACK_OFFICE', out: 'OUT_OF_STOCK' });
  for (const text of ['back-office', 'Back_Office', 'BACK_OFFICE']) {
    assert.equal(read(text), 'BACK_OFFICE');
  }
  assert.equal(read('out_of_stock'), 'OUT_OF_STOCK');
  assert.throws(
    () => read('x', '--type '),
    /--type "x" is unknown\. Use one of back-office, out\./,
  );
});
