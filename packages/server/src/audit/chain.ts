import { createHash } from 'node:crypto';

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

export interface LinkFacts {
  readonly position: number;
  readonly sealedAtMs: number;
  readonly entryGuid: string;
  readonly entryDigest: string;
  readonly previousHash: string | null;
}

/** Unambiguous: free text follows its length. The column `digest` of audit_entry does the same. */
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

/** A text may have half a million characters, so this allocates nothing per character. */
function codePoints(text: string): number {
  return text.length - (text.match(SURROGATE_PAIRS)?.length ?? 0);
}

const SURROGATE_PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;

export function entryDigest(entry: EntryFacts): string {
  return sha256(canonicalText(entry));
}

/** Covers the entry, its place and the previous link. */
export function linkHash(link: LinkFacts): string {
  const { position, sealedAtMs, entryGuid, previousHash } = link;
  return sha256([position, sealedAtMs, entryGuid, link.entryDigest, previousHash ?? '-'].join('|'));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
