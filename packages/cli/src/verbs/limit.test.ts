import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moreNotes } from './limit.ts';

test('a list that is cut short says so, but not to whoever asked for fewer', () => {
  assert.deepEqual(moreNotes(true, 50), ['There are more than 50: see --limit.']);
  assert.deepEqual(moreNotes(true, 200), ['There are more than 200: see --limit.']);
  assert.deepEqual(moreNotes(true, 49), []);
  assert.deepEqual(moreNotes(false, 50), []);
});
