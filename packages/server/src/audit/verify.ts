import type { AuditBreak, AuditVerdict } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { Sql } from '../database/database.ts';
import { isoTimestamp } from '../http/timestamps.ts';
import { findHead, listEntriesOutside, listLinks, type StoredLink } from './chain-store.ts';
import { breakAt, checkLink, goneAt, type LinkBefore } from './check-link.ts';
import { isProof, type Proofs, proofsOf } from './proofs.ts';

export interface AuditDeps {
  readonly database: { readonly sql: Sql };
  readonly vault: Vault;
  readonly realClock: Clock;
}

const BATCH = 1_000;
/** The sealer runs every second, so an older entry without a link is suspicious. */
const SEALED_WITHIN_MS = 60_000;
const OUTSIDE = 1_000;

interface Walk {
  readonly end: LinkBefore;
  readonly firstBreak: AuditBreak | null;
}

/**
 * Finds the first break. Recomputes every digest, and every proof with the master key: without that
 * key, even a database superuser cannot forge an entry, a link or the end of the chain.
 */
export async function verifyAudit(deps: AuditDeps): Promise<AuditVerdict> {
  const proofs = proofsOf(deps.vault);
  const walk = await walkLinks(deps.database.sql, proofs);
  const firstBreak = walk.firstBreak ?? (await checkOutside(deps, proofs));
  return {
    isIntact: firstBreak === null,
    position: walk.end.position,
    hash: walk.end.hash,
    firstBreak,
    verifiedAt: isoTimestamp(new Date(deps.realClock.nowMs())),
  };
}

async function walkLinks(sql: Sql, proofs: Proofs): Promise<Walk> {
  let end: LinkBefore = { position: 0, hash: null };
  for (;;) {
    const links = await listLinks(sql, end.position, BATCH);
    for (const link of links) {
      const firstBreak = checkLink(end, link) ?? checkProofs(link, proofs);
      if (firstBreak) return { end, firstBreak };
      end = { position: link.position, hash: link.hash };
    }
    if (links.length > 0) continue;
    const { isMore, firstBreak } = await checkHead(sql, proofs, end);
    if (!isMore) return { end, firstBreak };
  }
}

/** Without the master key, anyone could recompute all hashes but no proof. */
function checkProofs(link: StoredLink, proofs: Proofs): AuditBreak | null {
  const { entry } = link;
  if (entry && !isProof(entry.mac, proofs.ofEntry(entry))) {
    return breakAt(link, 'INSERTED', 'The entry is not as the platform wrote it.');
  }
  if (isProof(link.mac, proofs.ofLink(link.hash))) return null;
  return breakAt(link, 'REORDERED', 'The platform did not seal the entry at this position.');
}

/** Reads the head after the last link, so that links sealed meanwhile are checked too. */
async function checkHead(
  sql: Sql,
  proofs: Proofs,
  end: LinkBefore,
): Promise<{ readonly isMore: boolean; readonly firstBreak: AuditBreak | null }> {
  const head = await findHead(sql);
  if (head && head.position > end.position) {
    const [next] = await listLinks(sql, end.position, 1);
    if (next) return { isMore: true, firstBreak: null };
    const text = `The chain was sealed up to ${head.position}; its links from here on are gone.`;
    return { isMore: false, firstBreak: goneAt(end.position + 1, text) };
  }
  const isOurs =
    head?.position === end.position &&
    head.hash === end.hash &&
    (head.hash === null || isProof(head.mac, proofs.ofHead(head.position, head.hash)));
  const text =
    'The record of the end of the chain is missing or was changed: links after this position ' +
    'may have been removed. Compare with an export or a backup.';
  return { isMore: false, firstBreak: isOurs ? null : goneAt(end.position + 1, text) };
}

async function checkOutside(deps: AuditDeps, proofs: Proofs): Promise<AuditBreak | null> {
  const nowMs = deps.realClock.nowMs();
  for (const entry of await listEntriesOutside(deps.database.sql, OUTSIDE)) {
    const place = { position: 0, entryGuid: entry.guid };
    if (!isProof(entry.mac, proofs.ofEntry(entry))) {
      return breakAt(place, 'INSERTED', 'The platform did not write the entry; it is not sealed.');
    }
    if (!entry.isWaiting) {
      const text = 'The entry is neither in the chain nor waiting to be sealed.';
      return breakAt(place, 'UNSEALED', text);
    }
    if (nowMs - entry.realAtMs > SEALED_WITHIN_MS) {
      const text =
        'The entry has been waiting to be sealed for more than a minute: is a server running?';
      return breakAt(place, 'UNSEALED', text);
    }
  }
  return null;
}
