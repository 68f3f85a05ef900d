import type { Sql } from '../database/database.ts';
import { listLinks, type StoredEntry, type StoredLink } from './chain-store.ts';

/** Bounds the memory of a long export. */
const BATCH = 500;

/**
 * Streams a line per link with its entry. The last line, `{"end": …}`, says what the file contains,
 * so that a truncated file shows.
 */
export async function* exportAudit(sql: Sql, after: number): AsyncGenerator<string> {
  let end: { position: number; hash: string | null } = { position: after, hash: null };
  for (;;) {
    const links = await listLinks(sql, end.position, BATCH);
    const last = links.at(-1);
    if (!last) break;
    end = { position: last.position, hash: last.hash };
    yield links.map((link) => `${JSON.stringify(lineOf(link))}\n`).join('');
  }
  yield `${JSON.stringify({ end: { after, ...end } })}\n`;
}

function lineOf({ position, sealedAtMs, entry, mac: _, ...link }: StoredLink) {
  return { position, sealedAt: new Date(sealedAtMs), ...link, entry: entry && onLine(entry) };
}

function onLine({ guid, atMs, realAtMs, before, after, mac: _, ...entry }: StoredEntry) {
  return {
    guid,
    at: new Date(atMs),
    realAt: new Date(realAtMs),
    ...entry,
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  };
}
