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
  BackupRefused,
  type BackupTrailer,
  keyCheckContext,
  SECTION_END,
  type SectionEnd,
  type SectionStart,
  TRAILER_PURPOSE,
} from './format.ts';
import { digestSection } from './section-digest.ts';

/** What writing a backup leans on. */
export interface WriteBackupDeps {
  /** A session of its own on the database, which is ended afterwards by whoever opened it. */
  readonly session: Session;
  readonly vault: Vault;
  /** The version of the program. */
  readonly program: string;
  /**
   * Gives the lines of the simulator's ledger of that id, from the beginning up to now, or null
   * where it is not at hand. Read once the snapshot is taken, it knows all that the database knows.
   */
  readonly ledgerLines: (ledgerId: string) => Promise<AsyncIterable<Buffer> | null>;
  /** Takes the next bytes of the file; resolves when more may come. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Is told before the rows of each table, and how many tables there are. */
  readonly onTable?: (done: number, total: number) => void;
}

/** What came of it. */
export interface WrittenBackup extends BackupCounts {
  readonly header: BackupHeader;
}

interface Writer {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly hash: Hash;
}

/**
 * Writes all that the database holds as of one instant, while others go on changing it: one
 * snapshot, every table in turn. Throws BackupRefused where no server has ever started on it.
 */
export async function writeBackup(deps: WriteBackupDeps): Promise<WrittenBackup> {
  const sql = makeSql(deps.session.send);
  await sql.unsafe('begin isolation level repeatable read, read only');
  await fixTexts(sql);
  const { tables, leftOut } = await readCatalog(sql);
  const facts = await readFacts(sql);
  const ledger = facts.ledgerId === null ? null : await deps.ledgerLines(facts.ledgerId);
  const id = newGuid();
  const header: BackupHeader = {
    format: BACKUP_FORMAT,
    version: BACKUP_VERSION,
    id,
    createdAt: facts.now.toISOString(),
    program: deps.program,
    postgres: facts.postgres,
    environment: { kind: facts.kind, createdAt: facts.createdAt.toISOString() },
    ledger: facts.ledgerId === null ? null : { id: facts.ledgerId, isIncluded: ledger !== null },
    migrations: await listApplied(sql),
    keyCheck: deps.vault.seal(Buffer.from(id), keyCheckContext(id)).toString('base64'),
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    leftOut,
  };
  const writer: Writer = { write: deps.write, hash: createHash('sha256') };
  await writeLine(writer, header);
  let rows = 0;
  for (const [done, table] of tables.entries()) {
    deps.onTable?.(done, tables.length);
    rows += await writeTable(writer, deps.session, table);
  }
  if (ledger) await writeSection(writer, { section: 'ledger', name: 'ledger' }, ledger);
  await writeTrailer(writer, deps.vault, { sections: tables.length + (ledger ? 1 : 0), rows });
  await sql.unsafe('commit');
  deps.onTable?.(tables.length, tables.length);
  return { header, tables: tables.length, rows };
}

async function writeTable(writer: Writer, session: Session, table: CatalogTable): Promise<number> {
  const rows = await session.copyOut(copyOutStatement(table));
  return await writeSection(writer, { section: 'table', name: table.name }, rows);
}

/** Gives how many lines it has. */
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

interface Facts {
  readonly now: Date;
  readonly postgres: string;
  readonly kind: 'sandbox' | 'production';
  readonly createdAt: Date;
  readonly ledgerId: string | null;
}

async function readFacts(sql: Sql): Promise<Facts> {
  const [found] = await sql<[{ hasEnvironment: boolean }]>`
    select to_regclass('public.processor_ledger') is not null as "hasEnvironment"`;
  const [facts] = found.hasEnvironment
    ? await sql<Facts[]>`
        select date_trunc('milliseconds', clock_timestamp()) as now, kind,
          current_setting('server_version') as postgres, created_at as "createdAt",
          (select ledger_id from processor_ledger) as "ledgerId"
        from environment`
    : [];
  if (facts) return facts;
  throw new BackupRefused(
    'there is nothing to back up: no server of this version or a later one has started on this ' +
      'database yet. Name another with --data-dir or --database-url.',
  );
}
