import type { AuditBreak } from '@servery/contract';
import type { EntryFacts, LinkFacts } from './chain.ts';
import { checkLink, goneAt, type LinkBefore, type ReadLink } from './check-link.ts';

/** What came of verifying an exported file. */
export interface ExportVerdict {
  readonly isIntact: boolean;
  /** The position of the first link of the file; null when it has none. */
  readonly firstPosition: number | null;
  /** How far the links were verified, and the hash of the last one. */
  readonly position: number;
  readonly hash: string | null;
  readonly firstBreak: AuditBreak | null;
}

/** The file, which the message calls `it`, is no export, not even a damaged one. */
export class NoExport extends Error {
  constructor() {
    super('it is no export of the record of changes: no line of it is one of an export');
    this.name = 'NoExport';
  }
}

/**
 * Verifies an export of the record of changes without the platform: `lines` are those of the file,
 * without their ends. It computes every hash anew. A file that begins behind position 1 is taken to
 * go on from where its first link says. What only the platform can prove, that nobody computed all
 * hashes anew, is told by comparing the last hash with one that was written down elsewhere. Throws
 * NoExport for another file.
 */
export async function verifyExport(lines: AsyncIterable<string>): Promise<ExportVerdict> {
  let before: LinkBefore | null = null;
  let isStrange = false;
  let firstPosition: number | null = null;
  const verdict = (firstBreak: AuditBreak | null): ExportVerdict => ({
    isIntact: firstBreak === null,
    firstPosition,
    position: before?.position ?? 0,
    hash: before?.hash ?? null,
    firstBreak,
  });
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const read = readLine(line);
    // Until a line of an export comes, this may be any file.
    if (read ? isStrange : before) return verdict(strangeAt((before?.position ?? 0) + 1));
    if (!read) {
      isStrange = true;
      continue;
    }
    if ('end' in read) return verdict(checkEnd(firstPosition, before, read.end));
    before ??= { position: read.position - 1, hash: read.previousHash };
    firstPosition ??= read.position;
    const firstBreak = checkFirst(read) ?? checkLink(before, read);
    if (firstBreak) return verdict(firstBreak);
    before = { position: read.position, hash: read.hash };
  }
  if (isStrange) throw new NoExport();
  const text = 'The file ends before the line that tells the end of the chain: it was cut off.';
  return verdict(goneAt((before?.position ?? 0) + 1, text));
}

function strangeAt(position: number): AuditBreak {
  const explanation = 'The line is not one of an export of the record of changes.';
  return { kind: 'CHANGED', position, entryGuid: null, explanation };
}

/** The first link of all has none before it. */
function checkFirst({ position, previousHash }: ReadLink): AuditBreak | null {
  if (position !== 1 || previousHash === null) return null;
  return goneAt(1, 'The first link goes on from one before it, which is gone.');
}

/** The last line of a file. */
interface End extends LinkBefore {
  /** The position behind which the export began. */
  readonly after: number;
}

function checkEnd(
  firstPosition: number | null,
  before: LinkBefore | null,
  end: End,
): AuditBreak | null {
  if (firstPosition !== null && firstPosition !== end.after + 1) {
    return goneAt(end.after + 1, `The file says that it begins behind ${end.after}.`);
  }
  const last = before?.position ?? end.after;
  if (last === end.position && (before === null || before.hash === end.hash)) return null;
  const text = `The file says that the chain ends at ${end.position}, with another last link.`;
  return goneAt(last + 1, text);
}

type Line = ReadLink | { readonly end: End };

/** A line of an export; null for one that is no link and no end. */
function readLine(text: string): Line | null {
  try {
    const line: LinkLine | { readonly end: End } = JSON.parse(text);
    return 'end' in line ? line : readLink(line);
  } catch {
    return null;
  }
}

/** A link as an export writes it; of what stands there instead, other digests come. */
interface LinkLine extends Omit<LinkFacts, 'sealedAtMs'> {
  readonly sealedAt: string;
  readonly hash: string;
  readonly entry: EntryLine | null;
}

interface EntryLine extends Omit<EntryFacts, 'atMs' | 'realAtMs' | 'before' | 'after'> {
  readonly at: string;
  readonly realAt: string;
  readonly before: unknown;
  readonly after: unknown;
}

function readLink(line: LinkLine): ReadLink {
  const { entry } = line;
  return {
    position: Number(line.position),
    sealedAtMs: instantMs(line.sealedAt),
    entryGuid: String(line.entryGuid),
    entryDigest: String(line.entryDigest),
    previousHash: line.previousHash ?? null,
    hash: String(line.hash),
    entry: entry && readEntry(entry),
  };
}

function readEntry(entry: EntryLine): EntryFacts {
  return {
    ...entry,
    atMs: instantMs(entry.at),
    realAtMs: instantMs(entry.realAt),
    before: entry.before === null ? null : JSON.stringify(entry.before),
    after: entry.after === null ? null : JSON.stringify(entry.after),
  };
}

function instantMs(text: unknown): number {
  return Temporal.Instant.from(String(text)).epochMilliseconds;
}
