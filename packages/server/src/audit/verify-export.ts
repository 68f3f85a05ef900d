import type { AuditBreak } from '@servery/contract';
import type { EntryFacts } from './chain.ts';
import { checkLink, goneAt, type LinkBefore, type ReadLink } from './check-link.ts';

export interface ExportVerdict {
  readonly isIntact: boolean;
  readonly firstPosition: number | null;
  readonly position: number;
  readonly hash: string | null;
  readonly firstBreak: AuditBreak | null;
}

/** `it` in the message is the file, which is not even a damaged export. */
export class NoExport extends Error {
  constructor() {
    super('it is no export of the audit log: no line of it is one of an export');
    this.name = 'NoExport';
  }
}

/**
 * Verifies a file without the platform. A file after position 1 continues from what its first link
 * says. A full recomputation of all hashes only shows by comparing the last hash with one noted
 * elsewhere. Throws NoExport for other files.
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
    // Until the first valid line, this may be any file.
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
  const text = 'The file was cut off: it ends before the line with the end of the chain.';
  return verdict(goneAt((before?.position ?? 0) + 1, text));
}

function strangeAt(position: number): AuditBreak {
  const explanation = 'The line is not one of an export of the audit log.';
  return { kind: 'CHANGED', position, entryGuid: null, explanation };
}

function checkFirst({ position, previousHash }: ReadLink): AuditBreak | null {
  if (position !== 1 || previousHash === null) return null;
  return goneAt(1, 'The first link goes on from one before it, which is gone.');
}

interface End extends LinkBefore {
  readonly after: number;
}

function checkEnd(
  firstPosition: number | null,
  before: LinkBefore | null,
  end: End,
): AuditBreak | null {
  if (firstPosition !== null && firstPosition !== end.after + 1) {
    return goneAt(end.after + 1, `The file says that it starts after ${end.after}.`);
  }
  const last = before?.position ?? end.after;
  if (last === end.position && (before === null || before.hash === end.hash)) return null;
  const text = `The file says that the chain ends at ${end.position}, with another last link.`;
  return goneAt(last + 1, text);
}

type Line = ReadLink | { readonly end: End };

function readLine(text: string): Line | null {
  try {
    const line: LinkLine | { readonly end: End } = JSON.parse(text);
    return 'end' in line ? line : readLink(line);
  } catch {
    return null;
  }
}

/** Invalid values only lead to other digests. */
interface LinkLine extends Omit<ReadLink, 'sealedAtMs' | 'entry'> {
  readonly sealedAt: string;
  readonly entry: EntryLine | null;
}

interface EntryLine extends Omit<EntryFacts, 'atMs' | 'realAtMs' | 'before' | 'after'> {
  readonly at: string;
  readonly realAt: string;
  readonly before: unknown;
  readonly after: unknown;
}

function readLink({ entry, ...line }: LinkLine): ReadLink {
  return { ...line, sealedAtMs: instantMs(line.sealedAt), entry: entry && readEntry(entry) };
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
