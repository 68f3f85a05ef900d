import { createHash, type Hash } from 'node:crypto';
import { newGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import { listApplied } from '../migrate.ts';
import type { Session } from '../session.ts';
import { makeSql, type Sql } from '../sql.ts';
import { copyOutStatement, fixTexts, readCatalog } from './catalog.ts';
import {
  BACKUP_VERSION,
  type BackupCounts,
  type BackupHeader,
  type BackupTrailer,
  keyCheckContext,
  SECTION_END,
  SectionDigest,
  type SectionStart,
  TRAILER_PURPOSE,
} from './format.ts';

export interface BackupContents<Facts> {
  readonly facts: Facts;
  readonly attachments: readonly {
    readonly name: string;
    readonly lines: AsyncIterable<Buffer>;
  }[];
}

export interface WriteBackupDeps<Facts> {
  /** A session of its own on the database; the caller ends it. */
  readonly session: Session;
  readonly vault: Vault;
  /** The name of the format, which reading must know. */
  readonly format: string;
  readonly program: string;
  readonly leftOut: readonly string[];
  /** Reads in the snapshot of the backup what it holds beside the tables. */
  readonly describe: (sql: Sql) => Promise<BackupContents<Facts>>;
  /** Takes the next bytes of the file; resolves when more may come. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Called before the rows of each table, and after the last one. */
  readonly onTable?: (done: number, total: number) => void;
}

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
  const [{ now, postgres }] = await sql<[{ now: Date; postgres: string }]>`
    select date_trunc('milliseconds', clock_timestamp()) as now,
      current_setting('server_version') as postgres`;
  const { facts, attachments } = await deps.describe(sql);
  const id = newGuid();
  const header: BackupHeader<Facts> = {
    format: deps.format,
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
    const lines = await deps.session.copyOut(copyOutStatement(table));
    rows += await writeSection(writer, { section: 'table', name: table.name }, lines);
  }
  for (const { name, lines } of attachments) {
    await writeSection(writer, { section: 'attachment', name }, lines);
  }
  await writeTrailer(writer, deps.vault, { sections: tables.length + attachments.length, rows });
  await sql.unsafe('commit');
  deps.onTable?.(tables.length, tables.length);
  return { header, tables: tables.length, rows };
}

async function writeSection(
  writer: Writer,
  start: SectionStart,
  pieces: AsyncIterable<Buffer>,
): Promise<number> {
  await writeLine(writer, start);
  const digest = new SectionDigest();
  for await (const piece of pieces) {
    digest.update(piece);
    await writeBytes(writer, piece);
  }
  await writeBytes(writer, Buffer.from(SECTION_END));
  const end = digest.end(start.name);
  await writeLine(writer, end);
  return end.rows;
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
