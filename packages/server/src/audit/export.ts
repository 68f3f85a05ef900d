import type { Sql } from '../database/database.ts';
import { isoTimestamp } from '../http/timestamps.ts';
import type { EntryFacts } from './chain.ts';
import { listLinks, type StoredLink } from './chain-store.ts';

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

function lineOf(link: StoredLink) {
  const { position, sealedAtMs, entryGuid, entryDigest, previousHash, hash, entry } = link;
  return {
    position,
    sealedAt: instant(sealedAtMs),
    entryGuid,
    entryDigest,
    previousHash,
    hash,
    entry: entry && onLine(entry),
  };
}

function onLine(entry: EntryFacts) {
  return {
    guid: entry.guid,
    at: instant(entry.atMs),
    realAt: instant(entry.realAtMs),
    actor: entry.actor,
    requestId: entry.requestId,
    operation: entry.operation,
    subjectKind: entry.subjectKind,
    subjectId: entry.subjectId,
    managementGroupGuid: entry.managementGroupGuid,
    restaurantGuid: entry.restaurantGuid,
    partnerGuid: entry.partnerGuid,
    before: entry.before === null ? null : JSON.parse(entry.before),
    after: entry.after === null ? null : JSON.parse(entry.after),
  };
}

function instant(epochMs: number): string {
  return isoTimestamp(new Date(epochMs));
}
