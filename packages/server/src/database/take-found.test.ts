import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeFound } from './take-found.ts';

/** Rows that several take: `others` are faster with these. */
function rows(all: readonly string[], others: readonly string[]) {
  const free = new Set(all);
  return {
    find: async () => [...free].slice(0, 2),
    async take(found: readonly string[]) {
      for (const row of others) free.delete(row);
      return found.filter((row) => free.delete(row));
    },
  };
}

test('takeFound: when others were faster with all that was found, what follows is taken', async () => {
  const { find, take } = rows(['a', 'b', 'c', 'd', 'e'], ['a', 'b', 'd']);
  assert.deepEqual(await takeFound(find, take), ['c', 'e']);
});

test('takeFound: it gives nothing only if nothing is left', async () => {
  const { find, take } = rows(['a', 'b', 'c'], ['a', 'b', 'c']);
  assert.deepEqual(await takeFound(find, take), []);
});
