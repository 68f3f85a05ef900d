const FIRST_CHARACTER = 63;
const CONTINUES = 0x20;
const BITS = 5;
const MOST_BITS = 30;
const UNITS_PER_DEGREE = 1e5;

export type Point = readonly [latitude: number, longitude: number];

/**
 * Differences of coordinates in units of 0.00001 degrees, in five-bit chunks with the sign in the
 * lowest bit. Null for invalid text.
 */
export function decodePolyline(encoded: string): Point[] | null {
  const points: Point[] = [];
  let at = 0;
  let latitude = 0;
  let longitude = 0;
  const nextDifference = (): number | null => {
    let value = 0;
    for (let shift = 0; shift < MOST_BITS; shift += BITS) {
      const chunk = encoded.charCodeAt(at) - FIRST_CHARACTER;
      at += 1;
      if (Number.isNaN(chunk) || chunk < 0 || chunk > 63) return null;
      value |= (chunk & (CONTINUES - 1)) << shift;
      if (chunk < CONTINUES) return value & 1 ? ~(value >> 1) : value >> 1;
    }
    return null;
  };
  while (at < encoded.length) {
    const north = nextDifference();
    const east = north === null ? null : nextDifference();
    if (north === null || east === null) return null;
    latitude += north;
    longitude += east;
    points.push([degrees(latitude), degrees(longitude)]);
  }
  return points;
}

/** The opposite. Rounds to 0.00001 degrees, about one meter. */
export function encodePolyline(points: readonly Point[]): string {
  let text = '';
  let before: Point = [0, 0];
  for (const point of points) {
    const units: Point = [toUnits(point[0]), toUnits(point[1])];
    text += difference(units[0] - before[0]) + difference(units[1] - before[1]);
    before = units;
  }
  return text;
}

function difference(units: number): string {
  let rest = units < 0 ? ~(units << 1) : units << 1;
  let text = '';
  while (rest >= CONTINUES) {
    text += String.fromCharCode((CONTINUES | (rest & (CONTINUES - 1))) + FIRST_CHARACTER);
    rest >>= BITS;
  }
  return text + String.fromCharCode(rest + FIRST_CHARACTER);
}

function toUnits(degreesGiven: number): number {
  return Math.round(degreesGiven * UNITS_PER_DEGREE);
}

function degrees(units: number): number {
  // Division gives the nearest double: 90 degrees must not become slightly more.
  return units / UNITS_PER_DEGREE;
}
