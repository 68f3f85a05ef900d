import { createHash, type Hash } from 'node:crypto';
import type { Vault } from '@servery/support/secret.ts';
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type BackupCounts,
  type BackupHeader,
  BackupRefused,
  type BackupTrailer,
  damaged,
  keyCheckContext,
  type SectionEnd,
  type SectionStart,
  TRAILER_PURPOSE,
} from './format.ts';
import { isHeader } from './header.ts';
import { BackupLines } from './lines.ts';
import { digestSection } from './section-digest.ts';

interface ReadSection extends SectionStart {
  /** In pieces, to be read to their end. */
  readonly lines: AsyncIterable<Buffer>;
}

/** A backup that was read to its end and is unchanged. */
export interface ReadResult<Facts = unknown> extends BackupCounts {
  readonly header: BackupHeader<Facts>;
  /** By the name of the table. */
  readonly sums: ReadonlyMap<string, SectionEnd>;
}

/** What reading takes. */
export interface ReadBackupDeps<Facts> {
  /** The bytes of the backup, decompressed. */
  readonly source: AsyncIterable<Uint8Array>;
  readonly vault: Vault;
  readonly isFacts: (value: unknown) => value is Facts;
  /** Called with the header once it is checked, before the first section. */
  readonly onHeader: (header: BackupHeader<Facts>) => Promise<void>;
  /** Called with one section after the other; each ends before the next one begins. */
  readonly onSection: (section: ReadSection, header: BackupHeader<Facts>) => Promise<void>;
}

/**
 * Reads a backup to its end: the header, every section, and what proves that nothing is missing or
 * changed. What the sections gave counts only if this does not throw. Throws BackupRefused.
 */
export async function readBackup<Facts>(deps: ReadBackupDeps<Facts>): Promise<ReadResult<Facts>> {
  const hash = createHash('sha256');
  const lines = new BackupLines(deps.source, (bytes) => hash.update(bytes));
  try {
    return await readAll(lines, hash, deps);
  } finally {
    await lines.close();
  }
}

async function readAll<Facts>(
  lines: BackupLines,
  hash: Hash,
  deps: ReadBackupDeps<Facts>,
): Promise<ReadResult<Facts>> {
  const header = await readHeader(lines, deps.isFacts, (bytes) => hash.update(bytes));
  requireKey(header, deps.vault);
  await deps.onHeader(header);
  const expected = sectionsOf(header);
  const sums = new Map<string, SectionEnd>();
  for (const start of expected) {
    const own = await jsonLine(lines, (bytes) => hash.update(bytes));
    if (own.section !== start.section || own.name !== start.name) {
      throw damaged(`where ${start.name} should stand is something else`);
    }
    const digest = digestSection();
    await deps.onSection({ ...start, lines: digested(lines, start.name, digest.update) }, header);
    const end = (await jsonLine(lines, (bytes) => hash.update(bytes))) as unknown as SectionEnd;
    const rows = digest.rows();
    if (end.end !== start.name || end.rows !== rows || end.sha256 !== digest.sha256()) {
      throw damaged(`the rows of ${start.name} are not those that were written`);
    }
    if (start.section === 'table') sums.set(start.name, end);
  }
  const rows = [...sums.values()].reduce((total, sum) => total + sum.rows, 0);
  await requireTrailer(lines, hash.digest('hex'), deps.vault, { sections: expected.length, rows });
  return { header, sums, tables: header.tables.length, rows };
}

/**
 * Reads the first line alone, to find out whether it is a backup of this format before anything is
 * asked for, or made, for it. Throws BackupRefused.
 */
export async function readBeginning<Facts>(
  source: AsyncIterable<Uint8Array>,
  isFacts: (value: unknown) => value is Facts,
): Promise<BackupHeader<Facts>> {
  const lines = new BackupLines(source, () => {});
  try {
    return await readHeader(lines, isFacts, () => {});
  } finally {
    await lines.close();
  }
}

function sectionsOf({ tables, attachments }: BackupHeader): SectionStart[] {
  return [
    ...tables.map(({ name }) => ({ section: 'table', name }) as const),
    ...attachments.map((name) => ({ section: 'attachment', name }) as const),
  ];
}

async function* digested(
  lines: BackupLines,
  name: string,
  update: (bytes: Uint8Array) => void,
): AsyncGenerator<Buffer, void> {
  const rows = lines.rows();
  for (;;) {
    const { done, value } = await rows.next();
    if (!done) {
      update(value);
      yield value;
    } else if (value) return;
    else throw damaged(`it ends in the middle of ${name}`);
  }
}

type OnBytes = (bytes: Uint8Array) => void;

async function readHeader<Facts>(
  lines: BackupLines,
  isFacts: (value: unknown) => value is Facts,
  onBytes: OnBytes,
): Promise<BackupHeader<Facts>> {
  const line = await lines.line();
  const header = line && parse(line.text);
  if (!line || header?.format !== BACKUP_FORMAT) {
    throw new BackupRefused(
      'this is no backup of Servery: name a file that "servery backup" made.',
    );
  }
  onBytes(line.bytes);
  if (!(Number(header.version) <= BACKUP_VERSION)) {
    throw new BackupRefused(
      `the backup has format ${header.version}, and this program reads up to ${BACKUP_VERSION}: ` +
        `use the newer program (it was written by ${header.program}).`,
    );
  }
  if (!isHeader(header, isFacts)) throw damaged('its first line is not readable');
  return header;
}

/**
 * Throws BackupRefused if this is not the master key of the backup, before anything else is read
 * or written.
 */
export function requireKey({ id, keyCheck, createdAt }: BackupHeader, vault: Vault): void {
  try {
    const opened = vault.open(Buffer.from(keyCheck, 'base64'), keyCheckContext(id));
    if (opened.toString() === id) return;
  } catch {
    // Refused below.
  }
  throw new BackupRefused(
    `this backup (made ${createdAt}) was encrypted with another master key: everything sealed ` +
      'in it (card keys, signing keys and so on) would be lost. Restore the old key: ' +
      'SERVERY_MASTER_KEY, or master.key in the data folder.',
  );
}

async function jsonLine(lines: BackupLines, onBytes: OnBytes): Promise<Record<string, unknown>> {
  const line = await lines.line();
  if (!line) throw damaged('it ends too early');
  const value = parse(line.text);
  if (!value) throw damaged('a line of it is not readable');
  onBytes(line.bytes);
  return value;
}

async function requireTrailer(
  lines: BackupLines,
  sha256: string,
  vault: Vault,
  counts: Pick<BackupTrailer, 'sections' | 'rows'>,
): Promise<void> {
  const trailer = (await jsonLine(lines, () => {})) as unknown as BackupTrailer;
  if (trailer.trailer !== true) throw damaged('its end is missing');
  if (trailer.sections !== counts.sections || trailer.rows !== counts.rows) {
    throw damaged('tables or rows are missing');
  }
  const mac = vault.digest(TRAILER_PURPOSE, sha256);
  if (trailer.sha256 !== sha256 || trailer.mac !== mac.toString('base64')) {
    throw damaged('its digest is another one');
  }
  if (!(await lines.isAtEnd())) throw damaged('something stands behind its end');
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
