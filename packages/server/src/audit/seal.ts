import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { Database, Sql } from '../database/database.ts';
import type { Log } from '../support/log.ts';
import { entryDigest, linkHash } from './chain.ts';
import {
  deleteUnsealed,
  findHeadForUpdate,
  type HeadRow,
  insertLinks,
  listUnsealed,
  type NewLink,
  type StoredEntry,
  updateHead,
} from './chain-store.ts';
import { isProof, type Proofs, proofsOf } from './proofs.ts';

export interface SealDeps {
  readonly database: Pick<Database, 'sql' | 'transaction'>;
  readonly vault: Pick<Vault, 'digest'>;
  readonly realClock: Clock;
  readonly log: Pick<Log, 'error'>;
}

const BATCH = 500;

/**
 * Each run links committed entries in the order of writing and returns how many. Any number of
 * processes can run it: they take turns. Entries that the platform did not write are logged and
 * never linked; `verify` names them. They leave the queue, as do linked ones, so that they block no
 * others. Throws an Error when the end of the chain is not ours.
 */
export function createSealer(deps: SealDeps): () => Promise<number> {
  const proofs = proofsOf(deps.vault);
  const { database, log } = deps;
  let highest = 0;
  return async () => {
    for (let sealed = 0; ; ) {
      const [first] = await listUnsealed(database.sql, 1);
      if (!first) return sealed;
      const batch = await database.transaction((sql) => linkWaiting(deps, proofs, sql, highest));
      highest = batch.position;
      for (const entryGuid of batch.forged) {
        log.error({ entryGuid }, 'the audit log has an entry that the platform did not write');
      }
      sealed += batch.linked;
      if (!batch.isMore) return sealed;
    }
  };
}

async function linkWaiting({ realClock }: SealDeps, proofs: Proofs, sql: Sql, highest: number) {
  const head = requireOurs(await findHeadForUpdate(sql), proofs, highest);
  const waiting = await listUnsealed(sql, BATCH);
  const isOurs = (entry: StoredEntry) => isProof(entry.mac, proofs.ofEntry(entry));
  const unlinked = waiting.filter(({ isLinked }) => !isLinked);
  const links = linksFor(unlinked.filter(isOurs), head, realClock.nowMs(), proofs);
  const forged = unlinked.filter((entry) => !isOurs(entry)).map(({ guid }) => guid);
  const position = await addLinks(sql, head, links, proofs);
  const guids = waiting.map(({ guid }) => guid);
  await deleteUnsealed(sql, guids);
  return { linked: links.length, position, forged, isMore: waiting.length === BATCH };
}

async function addLinks(
  sql: Sql,
  head: HeadRow,
  links: readonly NewLink[],
  proofs: Proofs,
): Promise<number> {
  const last = links.at(-1);
  if (!last) return head.position;
  await insertLinks(sql, links);
  const { position } = last;
  const hash = linkHash(last);
  const end = { position, hash, mac: proofs.ofHead(position, hash) };
  if (!(await updateHead(sql, head, end))) throw new Error('the chain ends elsewhere by now');
  return position;
}

/** A chain that ends before the last known position was truncated. */
function requireOurs(head: HeadRow | null, proofs: Proofs, highest: number): HeadRow {
  const isOurs =
    head?.hash === null || (head && isProof(head.mac, proofs.ofHead(head.position, head.hash)));
  if (head && isOurs && head.position >= highest) return head;
  throw new Error(
    'The audit log does not end where the platform sealed it last. Nothing is sealed until that ' +
      'is settled: run `servery audit verify`, and compare with an export or a backup.',
  );
}

function linksFor(
  entries: readonly StoredEntry[],
  head: HeadRow,
  sealedAtMs: number,
  proofs: Proofs,
): NewLink[] {
  let { position, hash: previousHash } = head;
  return entries.map((entry) => {
    position += 1;
    const { guid: entryGuid } = entry;
    const link = { position, sealedAtMs, entryGuid, entryDigest: entryDigest(entry), previousHash };
    previousHash = linkHash(link);
    return { ...link, mac: proofs.ofLink(previousHash) };
  });
}
