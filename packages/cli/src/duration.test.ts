import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoDuration } from './duration.ts';

test('servery clock advance: friendly durations are written as ISO 8601', () => {
  for (const [text, iso] of [
    ['5m', 'PT5M'],
    ['30s', 'PT30S'],
    ['7d', 'P7D'],
    ['2w', 'P2W'],
    ['1h30m', 'PT1H30M'],
    ['1d 12h', 'P1DT12H'],
    ['1W1D', 'P1W1D'],
    ['pt5m', 'PT5M'],
    ['P1DT2H', 'P1DT2H'],
    ['PT0.5S', 'PT0.5S'],
    ['P2W', 'P2W'],
    ['P1M', 'P1M'],
  ] as const) {
    assert.equal(isoDuration(text), iso, text);
  }
});

test('servery clock advance: what is no duration is refused in words', () => {
  for (const text of [
    '',
    ' ',
    'soon',
    '5',
    '5 minutes',
    '5m1h',
    'P',
    'PT',
    'PAY-1',
    '1.5h',
    '--5m',
    '-',
  ]) {
    assert.throws(() => isoDuration(text), /is no duration: write 30s, 5m/, text);
  }
});

test('servery clock advance: what does not lead ahead is refused in words', () => {
  for (const text of ['0s', '0d0h', 'PT0S', '-0s']) {
    assert.throws(() => isoDuration(text), /leads nowhere: write a duration such as 5m/, text);
  }
  for (const text of ['-5m', '-PT5M', '-1d 12h']) {
    assert.throws(() => isoDuration(text), /leads back: .*"servery clock set"/, text);
  }
  assert.throws(() => isoDuration('PT0.0001S'), /"PT0\.0001S" is too fine: .*milliseconds/);
  assert.throws(() => isoDuration(`${'9'.repeat(20)}w`), /is no duration/);
});
