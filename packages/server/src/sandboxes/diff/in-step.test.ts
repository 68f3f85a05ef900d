import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Place } from './diff-store.ts';
import { inStep, type ListPage } from './in-step.ts';

const LAST = 12_000;
const restaurants = [
  'b1000000-0000-4000-8000-000000000000',
  'b1000000-0000-4000-8000-00000000000a',
];

const multiplesOf = (step: number): Place[] =>
  restaurants.flatMap((restaurantGuid) =>
    Array.from({ length: LAST / step }, (_, index) => {
      const guid = `${(index * step).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
      return { restaurantGuid, guid };
    }),
  );

const pagesOf =
  (places: readonly Place[]): ListPage<Place> =>
  async (after, limit) => {
    const start = after === null ? 0 : places.indexOf(after) + 1;
    return places.slice(start, start + limit);
  };

test('backOffice.sandboxes.diff: every place of both sides comes once, across pages', async () => {
  const [twos, threes] = [multiplesOf(2), multiplesOf(3)];
  const textOf = ({ restaurantGuid, guid }: Place) => `${restaurantGuid} ${guid}`;
  const met: string[] = [];
  const seen = { both: [] as string[], one: [] as string[], other: [] as string[] };
  for await (const { before, after } of inStep(pagesOf(twos), pagesOf(threes))) {
    const place = before ?? after;
    assert.ok(place);
    met.push(textOf(place));
    seen[before && after ? 'both' : before ? 'one' : 'other'].push(textOf(place));
  }
  const [ones, others] = [new Set(twos.map(textOf)), new Set(threes.map(textOf))];
  assert.deepEqual(met, [...ones.union(others)].sort());
  assert.deepEqual(seen.both, [...ones.intersection(others)].sort());
  assert.deepEqual(seen.one, [...ones.difference(others)].sort());
  assert.deepEqual(seen.other, [...others.difference(ones)].sort());
});
