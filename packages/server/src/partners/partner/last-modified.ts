import { type Instant, parseTimestamp } from '../../http/timestamps.ts';

/** The instant of `lastModified`, which may be a bare date here; null when absent (API-8). */
export function readLastModified(lastModified: string | undefined): Instant | null {
  if (lastModified === undefined) return null;
  return parseTimestamp(lastModified, { name: 'lastModified', bareDate: true });
}
