import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  areaOf,
  cornersOf,
  crossingOf,
  Plane,
  type Point,
  readCorners,
} from '../src/screens/restaurants/geometry.ts';

const square: readonly Point[] = [
  [52.01, 4.99],
  [52.01, 5.01],
  [51.99, 5.01],
  [51.99, 4.99],
];

function crossing(corners: readonly Point[]) {
  const plane = new Plane([52, 5]);
  return crossingOf(corners.map((corner) => plane.spotOf(corner)));
}

test('an area whose lines cross, touch, or fold back is told, and a sound one is not', () => {
  const [a, b, c, d] = square as [Point, Point, Point, Point];
  assert.equal(crossing([a, b, c, d]), null);
  assert.equal(crossing([a, b, c]), null);
  assert.deepEqual(crossing([a, c, b, d]), [0, 2], 'a bow tie');
  const onTheFirstLine: Point = [52.01, 5];
  assert.deepEqual(crossing([a, b, c, onTheFirstLine, d]), [0, 2], 'a corner on another line');
  const back: Point = [52.01, 5.005];
  assert.deepEqual(crossing([a, b, back, c, d]), [0, 1], 'a line back on itself');
});

test('an area is stored closed, and shown with each corner once', () => {
  assert.deepEqual(cornersOf(areaOf(square)), square);
  assert.equal(areaOf([]), null);
  assert.equal(cornersOf('?'), null);
});

test('a corner comes back from the grid where it was', () => {
  const plane = new Plane([-33.9, 151.2]);
  for (const corner of [...square, [-33.86882, 151.20929] as const]) {
    assert.deepEqual(plane.pointAt(plane.spotOf(corner)), corner);
  }
});

test('coordinates as text are read by line, and the first wrong line is named', () => {
  assert.deepEqual(readCorners('52.01, 4.99\n\n51.99 5.01\n'), [square[0], [51.99, 5.01]]);
  assert.equal(readCorners('52.01, 4.99\nhere\n91, 0'), 2);
  assert.equal(readCorners('91, 0'), 1);
});
