import { createHash } from 'node:crypto';

/** An entry of the record of changes as it is stored. Instants are in epoch milliseconds. */
export interface EntryFacts {
  readonly guid: string;
  readonly atMs: number;
  readonly realAtMs: number;
  readonly actor: string;
  readonly requestId: string | null;
  readonly operation: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly managementGroupGuid: string | null;
  readonly restaurantGuid: string | null;
  readonly partnerGuid: string | null;
  /** JSON text, byte for byte. */
  readonly before: string | null;
  readonly after: string | null;
}

/** A link of the chain without what proves it. Digests are in hexadecimal. */
export interface LinkFacts {
  readonly position: number;
  /** In epoch milliseconds of real time. */
  readonly sealedAtMs: number;
  readonly entryGuid: string;
  readonly entryDigest: string;
  /** Null for the first link. */
  readonly previousHash: string | null;
}

/**
 * All that an entry says in one text, from which nothing else can be read: what is free text stands
 * behind its length in code points. The column `digest` of audit_entry computes the same.
 */
export function canonicalText(entry: EntryFacts): string {
  const free = (text: string) => `${codePoints(text)}:${text}`;
  return [
    free(entry.guid),
    entry.atMs,
    entry.realAtMs,
    free(entry.actor),
    entry.requestId ?? '-',
    free(entry.operation),
    free(entry.subjectKind),
    free(entry.subjectId),
    entry.managementGroupGuid ?? '-',
    entry.restaurantGuid ?? '-',
    entry.partnerGuid ?? '-',
    entry.before === null ? '-' : free(entry.before),
    entry.after === null ? '-' : free(entry.after),
  ].join('|');
}

/** A list of the stock of a large menu is half a million characters: nothing is made of each. */
function codePoints(text: string): number {
  return text.length - (text.match(SURROGATE_PAIRS)?.length ?? 0);
}

const SURROGATE_PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;

/** The digest of an entry, SHA-256 in hexadecimal. */
export function entryDigest(entry: EntryFacts): string {
  return sha256(canonicalText(entry));
}

/** The hash of a link, SHA-256 in hexadecimal: of its entry, its place and the link before it. */
export function linkHash(link: LinkFacts): string {
  const { position, sealedAtMs, entryGuid, previousHash } = link;
  return sha256([position, sealedAtMs, entryGuid, link.entryDigest, previousHash ?? '-'].join('|'));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
