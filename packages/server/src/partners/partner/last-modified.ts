import { type Instant, parseTimestamp } from '../../http/timestamps.ts';

/** API-8: here it may be a bare date. */
export function readLastModified(lastModified: string | undefined): Instant | null {
  if (lastModified === undefined) return null;
  return parseTimestamp(lastModified, { name: 'lastModified', bareDate: true });
}
