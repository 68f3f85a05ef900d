import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { median, percentile, ratiosOf, spreadOf } from './statistics.ts';

describe('the statistics of the bench', () => {
  test('the median is the middle, of an even number the mean of the two', () => {
    assert.equal(median([9, 1, 5]), 5);
    assert.equal(median([9, 1, 5, 6]), 5.5);
    assert.equal(median([7]), 7);
    assert.ok(Number.isNaN(median([])));
  });

  test('a spread has the least and the most, and leaves the values as they are', () => {
    const values = [3, 1, 2];
    assert.deepEqual(spreadOf(values), { median: 2, least: 1, most: 3 });
    assert.deepEqual(values, [3, 1, 2]);
  });

  test('a percentile is a value that was measured', () => {
    const hundred = Float64Array.from({ length: 100 }, (_, index) => index + 1);
    assert.equal(percentile(hundred, 0.5), 50);
    assert.equal(percentile(hundred, 0.99), 99);
    assert.equal(percentile(hundred, 1), 100);
    assert.equal(percentile(Float64Array.of(4), 0.99), 4);
    assert.ok(Number.isNaN(percentile(new Float64Array(), 0.5)));
  });

  test('ratios are of neighbours in time, not of medians', () => {
    assert.deepEqual(ratiosOf([10, 40, 90], [10, 20, 30]), { median: 2, least: 1, most: 3 });
    assert.throws(() => ratiosOf([1, 2], [1]), /different rounds/);
  });
});
