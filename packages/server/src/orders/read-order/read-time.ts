import { readTime, TIME_RULE } from '../times.ts';
import type { Part } from './part.ts';

/** Null if it is absent or faulty. */
export function readTimeField<T extends object>(
  part: Part<T>,
  name: keyof T & string,
): number | null {
  const sent = part.get(name);
  if (sent === undefined) return null;
  const atMs = readTime(String(sent));
  if (atMs === null) part.fault(TIME_RULE, name);
  return atMs;
}
