import { createHash, type Hash } from 'node:crypto';
import type { Vault } from '@servery/support/secret.ts';
import {
  BACKUP_VERSION,
  type BackupCounts,
  type BackupHeader,
  BackupRefused,
  type BackupTrailer,
  damaged,
  isSameSection,
  keyCheckContext,
  SectionDigest,
  type SectionEnd,
  type SectionStart,
  TRAILER_PURPOSE,
} from './format.ts';
import { BackupLines } from './lines.ts';

interface ReadSection extends SectionStart {
  /** In pieces, to be read to their end. */
  readonly lines: AsyncIterable<Buffer>;
}

export interface ReadResult<Facts = unknown> extends BackupCounts {
  readonly header: BackupHeader<Facts>;
  readonly sums: ReadonlyMap<string, SectionEnd>;
}

/** Sentences for the users of the program. */
export interface BackupAdvice {
  readonly wrongKey: string;
  readonly notEmpty: string;
}

export interface ReadBackupDeps<Facts> {
  readonly source: AsyncIterable<Uint8Array>;
  readonly vault: Vault;
  readonly format: string;
  readonly advice: BackupAdvice;
  readonly isFacts: (value: unknown) => value is Facts;
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
  const header = await readHeader(lines, deps, (bytes) => hash.update(bytes));
  requireKey(header, deps.vault, deps.advice);
  await deps.onHeader(header);
  const expected = sectionsOf(header);
  const sums = new Map<string, SectionEnd>();
  for (const start of expected) {
    const own = await jsonLine(lines, (bytes) => hash.update(bytes));
    if (own.section !== start.section || own.name !== start.name) {
      throw damaged(`where ${start.name} should stand is something else`);
    }
    const digest = new SectionDigest();
    await deps.onSection({ ...start, lines: digested(lines, start.name, digest) }, header);
    const end = (await jsonLine(lines, (bytes) => hash.update(bytes))) as unknown as SectionEnd;
    if (!isSameSection(end, digest.end(start.name))) {
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
  form: HeaderForm<Facts>,
): Promise<BackupHeader<Facts>> {
  const lines = new BackupLines(source, () => {});
  try {
    return await readHeader(lines, form, () => {});
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
  digest: SectionDigest,
): AsyncGenerator<Buffer, void> {
  const rows = lines.rows();
  for (;;) {
    const { done, value } = await rows.next();
    if (!done) {
      digest.update(value);
      yield value;
    } else if (value) return;
    else throw damaged(`it ends in the middle of ${name}`);
  }
}

type OnBytes = (bytes: Uint8Array) => void;

type HeaderForm<Facts> = Pick<ReadBackupDeps<Facts>, 'format' | 'isFacts'>;

async function readHeader<Facts>(
  lines: BackupLines,
  { format, isFacts }: HeaderForm<Facts>,
  onBytes: OnBytes,
): Promise<BackupHeader<Facts>> {
  const line = await lines.line();
  const header = line && parse(line.text);
  if (!line || header?.format !== format) {
    throw new BackupRefused(`this is no backup: name a file with the format ${format}.`);
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
export function requireKey(
  { id, keyCheck, createdAt }: BackupHeader,
  vault: Vault,
  { wrongKey }: BackupAdvice,
): void {
  try {
    const opened = vault.open(Buffer.from(keyCheck, 'base64'), keyCheckContext(id));
    if (opened.toString() === id) return;
  } catch {
    // Refused below.
  }
  throw new BackupRefused(
    `this backup (made ${createdAt}) was encrypted with another master key: everything sealed in ` +
      `it would be lost. ${wrongKey}`,
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

type Unknown = Readonly<Record<string, unknown>>;

/** The trailer proves the content. */
function isHeader<Facts>(
  value: unknown,
  isFacts: (value: unknown) => value is Facts,
): value is BackupHeader<Facts> {
  if (!isObject(value)) return false;
  const { facts, migrations, tables, attachments, leftOut } = value;
  return (
    Number.isInteger(value.version) &&
    hasTexts(value, 'id', 'createdAt', 'program', 'postgres', 'keyCheck') &&
    !Number.isNaN(Date.parse(value.createdAt as string)) &&
    isFacts(facts) &&
    isListOf(migrations, (one) => hasTexts(one, 'fileName', 'checksum')) &&
    isListOf(tables, (one) => hasTexts(one, 'name') && isListOf(one.columns, isText)) &&
    isListOf(attachments, isText) &&
    isListOf(leftOut, isText)
  );
}

function hasTexts(value: unknown, ...names: readonly string[]): value is Unknown {
  return isObject(value) && names.every((name) => isText(value[name]));
}

function isListOf(value: unknown, is: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function isObject(value: unknown): value is Unknown {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
