import { createHash, type Hash } from 'node:crypto';
import { newGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import { listApplied } from '../migrate.ts';
import type { Session } from '../session.ts';
import { makeSql, type Sql } from '../sql.ts';
import { type CatalogTable, copyOutStatement, fixTexts, readCatalog } from './catalog.ts';
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type BackupCounts,
  type BackupHeader,
  type BackupTrailer,
  keyCheckContext,
  SECTION_END,
  type SectionEnd,
  type SectionStart,
  TRAILER_PURPOSE,
} from './format.ts';
import { digestSection } from './section-digest.ts';

/** What a backup holds beside the tables. */
export interface BackupContents<Facts> {
  readonly facts: Facts;
  readonly attachments: readonly {
    readonly name: string;
    readonly lines: AsyncIterable<Buffer>;
  }[];
}

/** What writing a backup takes. */
export interface WriteBackupDeps<Facts> {
  /** A session of its own on the database; the caller ends it. */
  readonly session: Session;
  readonly vault: Vault;
  /** The version of the program. */
  readonly program: string;
  /** Tables whose rows the backup does not hold. */
  readonly leftOut: readonly string[];
  /** Reads in the snapshot of the backup what it holds beside the tables. */
  readonly describe: (sql: Sql) => Promise<BackupContents<Facts>>;
  /** Takes the next bytes of the file; resolves when more may come. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Called before the rows of each table, and after the last one. */
  readonly onTable?: (done: number, total: number) => void;
}

/** A backup that was written. */
export interface WrittenBackup<Facts> extends BackupCounts {
  readonly header: BackupHeader<Facts>;
}

interface Writer {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly hash: Hash;
}

/** Writes all that the database holds at one instant, while others go on changing it. */
export async function writeBackup<Facts>(
  deps: WriteBackupDeps<Facts>,
): Promise<WrittenBackup<Facts>> {
  const sql = makeSql(deps.session.send);
  await sql.unsafe('begin isolation level repeatable read, read only');
  await fixTexts(sql);
  const { tables, leftOut } = await readCatalog(sql, deps.leftOut);
  const { now, postgres } = await readServer(sql);
  const { facts, attachments } = await deps.describe(sql);
  const id = newGuid();
  const header: BackupHeader<Facts> = {
    format: BACKUP_FORMAT,
    version: BACKUP_VERSION,
    id,
    createdAt: now.toISOString(),
    program: deps.program,
    postgres,
    facts,
    migrations: await listApplied(sql),
    keyCheck: deps.vault.seal(Buffer.from(id), keyCheckContext(id)).toString('base64'),
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    attachments: attachments.map(({ name }) => name),
    leftOut,
  };
  const writer: Writer = { write: deps.write, hash: createHash('sha256') };
  await writeLine(writer, header);
  let rows = 0;
  for (const [done, table] of tables.entries()) {
    deps.onTable?.(done, tables.length);
    rows += await writeTable(writer, deps.session, table);
  }
  for (const { name, lines } of attachments) {
    await writeSection(writer, { section: 'attachment', name }, lines);
  }
  await writeTrailer(writer, deps.vault, { sections: tables.length + attachments.length, rows });
  await sql.unsafe('commit');
  deps.onTable?.(tables.length, tables.length);
  return { header, tables: tables.length, rows };
}

async function writeTable(writer: Writer, session: Session, table: CatalogTable): Promise<number> {
  const rows = await session.copyOut(copyOutStatement(table));
  return await writeSection(writer, { section: 'table', name: table.name }, rows);
}

/** Returns how many lines it has. */
async function writeSection(
  writer: Writer,
  start: SectionStart,
  pieces: AsyncIterable<Buffer>,
): Promise<number> {
  await writeLine(writer, start);
  const digest = digestSection();
  for await (const piece of pieces) {
    digest.update(piece);
    await writeBytes(writer, piece);
  }
  await writeBytes(writer, Buffer.from(SECTION_END));
  const rows = digest.rows();
  const end: SectionEnd = { end: start.name, rows, sha256: digest.sha256() };
  await writeLine(writer, end);
  return rows;
}

async function writeTrailer(
  { write, hash }: Writer,
  vault: Vault,
  counts: Pick<BackupTrailer, 'sections' | 'rows'>,
): Promise<void> {
  const sha256 = hash.digest('hex');
  const mac = vault.digest(TRAILER_PURPOSE, sha256).toString('base64');
  const trailer: BackupTrailer = { trailer: true, ...counts, sha256, mac };
  await write(Buffer.from(`${JSON.stringify(trailer)}\n`));
}

async function writeLine(writer: Writer, value: unknown): Promise<void> {
  await writeBytes(writer, Buffer.from(`${JSON.stringify(value)}\n`));
}

async function writeBytes({ write, hash }: Writer, bytes: Uint8Array): Promise<void> {
  hash.update(bytes);
  await write(bytes);
}

interface Server {
  readonly now: Date;
  readonly postgres: string;
}

async function readServer(sql: Sql): Promise<Server> {
  const [row] = await sql<[Server]>`
    select date_trunc('milliseconds', clock_timestamp()) as now,
      current_setting('server_version') as postgres`;
  return row;
}
