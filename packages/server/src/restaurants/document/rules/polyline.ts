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

function degrees(units: number): number {
  // Division gives the nearest double: 90 degrees must not become slightly more.
  return units / UNITS_PER_DEGREE;
}
