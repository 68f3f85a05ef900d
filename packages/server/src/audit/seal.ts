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
  let highest = 0;
  return async () => {
    for (let sealed = 0; ; ) {
      const { linked, position, forged, isMore } = await sealBatch(deps, proofs, highest);
      highest = position;
      tellForged(deps.log, forged);
      sealed += linked;
      if (!isMore) return sealed;
    }
  };
}

interface SealedBatch {
  readonly linked: number;
  readonly position: number;
  readonly forged: readonly string[];
  readonly isMore: boolean;
}

async function sealBatch(deps: SealDeps, proofs: Proofs, highest: number): Promise<SealedBatch> {
  const { database } = deps;
  const [first] = await listUnsealed(database.sql, 1);
  if (!first) return { linked: 0, position: highest, forged: [], isMore: false };
  return await database.transaction((sql) => linkWaiting(deps, proofs, sql, highest));
}

async function linkWaiting(
  { realClock }: SealDeps,
  proofs: Proofs,
  sql: Sql,
  highest: number,
): Promise<SealedBatch> {
  const head = requireOurs(await findHeadForUpdate(sql), proofs, highest);
  const waiting = await listUnsealed(sql, BATCH);
  const isOurs = (entry: StoredEntry) => isProof(entry.mac, proofs.ofEntry(entry));
  const unlinked = waiting.filter(({ isLinked }) => !isLinked);
  const links = linksFor(unlinked.filter(isOurs), head, realClock.nowMs(), proofs);
  const forged = unlinked.filter((entry) => !isOurs(entry)).map(({ guid }) => guid);
  const position = await addLinks(sql, head, links, proofs);
  await deleteUnsealed(
    sql,
    waiting.map(({ guid }) => guid),
  );
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
  const hash = linkHash(last);
  const mac = proofs.ofHead(last.position, hash);
  const end = { position: last.position, hash, mac };
  if (!(await updateHead(sql, head, end))) throw new Error('the chain ends elsewhere by now');
  return last.position;
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
    const digest = entryDigest(entry);
    const link = {
      ...{ position, sealedAtMs, entryGuid: entry.guid, entryDigest: digest, previousHash },
    };
    previousHash = linkHash(link);
    return { ...link, mac: proofs.ofLink(previousHash) };
  });
}

function tellForged(log: SealDeps['log'], forged: readonly string[]): void {
  for (const entryGuid of forged) {
    log.error({ entryGuid }, 'the audit log has an entry that the platform did not write');
  }
}
