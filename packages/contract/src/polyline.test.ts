import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodePolyline, encodePolyline, type Point } from './polyline.ts';

test('a delivery area that the console writes is read as the same corners, to the last digit', () => {
  const degrees = (most: number) =>
    fc.integer({ min: -most * 1e5, max: most * 1e5 }).map((units) => units / 1e5);
  const point: fc.Arbitrary<Point> = fc.tuple(degrees(90), degrees(180));
  fc.assert(
    fc.property(fc.array(point, { maxLength: 20 }), (points) => {
      assert.deepEqual(decodePolyline(encodePolyline(points)), points);
    }),
  );
});
