const ECHO_MS = 500;
const NEAR_PIXELS = 24;

let last = { at: Number.NEGATIVE_INFINITY, x: 0, y: 0 };

/**
 * Whether a click is the second one of a double click: after the first, an order moves on, and what
 * comes under the pointer must not be pressed by accident.
 */
export function isEcho({ detail, timeStamp: at, clientX: x, clientY: y }: MouseEvent): boolean {
  // A key presses what has the focus, which does not move by itself.
  if (detail === 0) return false;
  const isNear = Math.hypot(x - last.x, y - last.y) < NEAR_PIXELS;
  const isSoon = at - last.at < ECHO_MS;
  last = { at, x, y };
  return isNear && isSoon;
}
