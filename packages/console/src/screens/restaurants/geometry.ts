import { decodePolyline, encodePolyline, type Point } from '@servery/contract/polyline.ts';

export type { Point };

/** Meters east and north of an origin. */
export interface Spot {
  readonly east: number;
  readonly north: number;
}

const METERS_PER_DEGREE = 111_195;
const FEWEST = 3;

/** Flat: an area of deliveries is small beside the Earth. */
export class Plane {
  readonly #origin: Point;
  readonly #metersEast: number;

  constructor(origin: Point) {
    this.#origin = origin;
    this.#metersEast = METERS_PER_DEGREE * Math.max(0.01, Math.cos((origin[0] * Math.PI) / 180));
  }

  spotOf([latitude, longitude]: Point): Spot {
    return {
      east: (longitude - this.#origin[1]) * this.#metersEast,
      north: (latitude - this.#origin[0]) * METERS_PER_DEGREE,
    };
  }

  pointAt({ east, north }: Spot): Point {
    const latitude = this.#origin[0] + north / METERS_PER_DEGREE;
    const longitude = this.#origin[1] + east / this.#metersEast;
    return [rounded(clamped(latitude, 90)), rounded(clamped(longitude, 180))];
  }
}

/** As precise as the platform stores it. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

function clamped(degrees: number, most: number): number {
  return Math.max(-most, Math.min(most, degrees));
}

/** The corners of an area, each once; null for a text that is none. */
export function cornersOf(area: string | null): readonly Point[] | null {
  const points = area === null ? [] : decodePolyline(area);
  if (!points) return null;
  const [first, last] = [points[0], points.at(-1)];
  const isClosed = points.length > 1 && first && last && isAt(first, last);
  return isClosed ? points.slice(0, -1) : points;
}

/** Closed: it ends where it begins. */
export function areaOf(corners: readonly Point[]): string | null {
  const [first] = corners;
  if (!first) return null;
  return encodePolyline(corners.length < FEWEST ? corners : [...corners, first]);
}

function isAt(one: Point, other: Point): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

/** Lines are named by the number of their first corner, from 0. */
export type Crossing = readonly [one: number, other: number];

/** The first lines that cross or touch where they should not; null if there are none. */
export function crossingOf(spots: readonly Spot[]): Crossing | null {
  const { length } = spots;
  for (let one = 0; one < length; one += 1) {
    for (let other = one + 1; other < length; other += 1) {
      const isNext = other === one + 1 || (one === 0 && other === length - 1);
      const [a, b] = [spots[one], spots[(one + 1) % length]];
      const [c, d] = [spots[other], spots[(other + 1) % length]];
      if (!a || !b || !c || !d) continue;
      if (isNext ? length > FEWEST && foldsBack(a, b, c, d) : doCross(a, b, c, d)) {
        return [one, other];
      }
    }
  }
  return null;
}

/** Neighbors share a corner; they must not lie on each other. */
function foldsBack(a: Spot, b: Spot, c: Spot, d: Spot): boolean {
  const [corner, one, other] = b === c ? [b, a, d] : [a, b, c];
  const along =
    (one.east - corner.east) * (other.east - corner.east) +
    (one.north - corner.north) * (other.north - corner.north);
  return side(corner, one, other) === 0 && along > 0;
}

function doCross(a: Spot, b: Spot, c: Spot, d: Spot): boolean {
  const [one, two] = [side(a, b, c), side(a, b, d)];
  const [three, four] = [side(c, d, a), side(c, d, b)];
  if (one !== two && three !== four) return true;
  return (
    (one === 0 && isBetween(a, b, c)) ||
    (two === 0 && isBetween(a, b, d)) ||
    (three === 0 && isBetween(c, d, a)) ||
    (four === 0 && isBetween(c, d, b))
  );
}

/** Whether a spot is left or right of a line, or on it. */
function side(a: Spot, b: Spot, spot: Spot): -1 | 0 | 1 {
  const cross =
    (b.east - a.east) * (spot.north - a.north) - (b.north - a.north) * (spot.east - a.east);
  return Math.abs(cross) < 1e-6 ? 0 : cross > 0 ? 1 : -1;
}

function isBetween(a: Spot, b: Spot, spot: Spot): boolean {
  return (
    Math.min(a.east, b.east) <= spot.east &&
    spot.east <= Math.max(a.east, b.east) &&
    Math.min(a.north, b.north) <= spot.north &&
    spot.north <= Math.max(a.north, b.north)
  );
}

export function squareMetersOf(spots: readonly Spot[]): number {
  const twice = spots.reduce((sum, spot, index) => {
    const next = spots[(index + 1) % spots.length] ?? spot;
    return sum + spot.east * next.north - next.east * spot.north;
  }, 0);
  return Math.abs(twice) / 2;
}

export function isInside(spots: readonly Spot[], { east, north }: Spot): boolean {
  return spots.reduce((isIn, spot, index) => {
    const next = spots[(index + 1) % spots.length] ?? spot;
    const isPassed =
      spot.north > north !== next.north > north &&
      east <
        ((next.east - spot.east) * (north - spot.north)) / (next.north - spot.north) + spot.east;
    return isPassed ? !isIn : isIn;
  }, false);
}

/** The line that is nearest to a spot, by the number of its first corner. */
export function nearestLine(spots: readonly Spot[], spot: Spot): number {
  const distances = spots.map((one, index) =>
    distanceToLine(one, spots[(index + 1) % spots.length] ?? one, spot),
  );
  return distances.indexOf(Math.min(...distances));
}

function distanceToLine(a: Spot, b: Spot, spot: Spot): number {
  const [east, north] = [b.east - a.east, b.north - a.north];
  const square = east * east + north * north;
  const along =
    square === 0 ? 0 : ((spot.east - a.east) * east + (spot.north - a.north) * north) / square;
  const at = Math.max(0, Math.min(1, along));
  return Math.hypot(spot.east - a.east - at * east, spot.north - a.north - at * north);
}

const LINE = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/;

/** One corner a line. Returns the corners, or the number of the first line that is none. */
export function readCorners(text: string): readonly Point[] | number {
  const lines = text.split('\n');
  const corners: Point[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const [, latitude, longitude] = LINE.exec(line) ?? [];
    const point: Point = [Number(latitude), Number(longitude)];
    // NaN is in no range.
    if (!(Math.abs(point[0]) <= 90 && Math.abs(point[1]) <= 180)) return index + 1;
    corners.push([rounded(point[0]), rounded(point[1])]);
  }
  return corners;
}

export function writeCorners(corners: readonly Point[]): string {
  return corners.map((point) => point.map((degrees) => degrees.toFixed(5)).join(', ')).join('\n');
}

export const units = {
  km: { meters: 1_000 },
  mi: { meters: 1_609.344 },
} as const;

export type Unit = keyof typeof units;

const WITH_MILES = ['US', 'GB', 'LR', 'MM'];

/** What people use where the browser is from. */
export function usualUnit(language: string): Unit {
  return WITH_MILES.includes(new Intl.Locale(language).maximize().region ?? '') ? 'mi' : 'km';
}
