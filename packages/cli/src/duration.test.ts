import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoDuration } from './duration.ts';

test('servery clock advance: friendly durations are written as ISO 8601', () => {
  for (const [text, iso] of [
    ['5m', 'PT5M'],
    ['30s', 'PT30S'],
    ['7d', 'P7D'],
    ['2w', 'P14D'],
    ['1h30m', 'PT1H30M'],
    ['1d 12h', 'P1DT12H'],
    ['1W1D', 'P8D'],
    ['0s', 'PT0S'],
    ['pt5m', 'PT5M'],
    ['P1DT2H', 'P1DT2H'],
    ['PT0.5S', 'PT0.5S'],
    ['P2W', 'P2W'],
  ] as const) {
    assert.equal(isoDuration(text), iso, text);
  }
});

test('servery clock advance: what is no duration is refused in words', () => {
  for (const text of ['', ' ', 'soon', '5', '5 minutes', '-5m', '5m1h', 'P', 'PT', 'P1', '1.5h']) {
    assert.throws(() => isoDuration(text), /is no duration: write 30s, 5m/, text);
  }
});
