import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Operation, operations } from '@servery/contract';
import { HELD_AT_MOST_MS, measureHolds } from './measure.ts';

/** Of the collections, which are all read in the same way, one stands for all. */
const isMeasured = ({ id }: Operation) =>
  !id.startsWith('configuration.') || id.startsWith('configuration.menuItems.');

test('P13 property: no request within the limits holds the event loop for over 20 ms', async () => {
  const held = await measureHolds({ isShort: true, tries: 10, only: isMeasured });
  assert.equal(held.length, operations.filter(isMeasured).length);
  for (const { operation, requests } of held) assert.ok(requests > 0, `${operation} was not sent`);
  const tooLong = held.filter(({ longestMs }) => longestMs > HELD_AT_MOST_MS);
  const told = tooLong.map(
    ({ operation, input, longestMs }) => `${operation} ${longestMs} ms: ${input}`,
  );
  assert.deepEqual(told, []);
});
