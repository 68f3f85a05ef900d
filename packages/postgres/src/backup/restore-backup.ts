import { type Migration, migrateAtOnce } from '../migrate.ts';
import type { Session } from '../session.ts';
import { makeSql, type Sql } from '../sql.ts';
import {
  type Catalog,
  copyInStatement,
  copyOutStatement,
  emptyTable,
  fixTexts,
  readCatalog,
} from './catalog.ts';
import {
  type BackupHeader,
  BackupRefused,
  type BackupTable,
  damaged,
  isSameSection,
  SectionDigest,
} from './format.ts';
import {
  type BackupAdvice,
  type ReadBackupDeps,
  type ReadResult,
  readBackup,
} from './read-backup.ts';

export interface RestoreDeps<Facts>
  extends Pick<ReadBackupDeps<Facts>, 'source' | 'vault' | 'format' | 'advice' | 'isFacts'> {
  /** A session of its own on the empty database; the caller ends it. */
  readonly session: Session;
  readonly migrations: readonly Migration[];
  readonly leftOut: readonly string[];
  readonly takeAttachment: (name: string, lines: AsyncIterable<Buffer>) => Promise<void>;
  /** Called when everything is restored and compared, just before the transaction commits. */
  readonly beforeCommit?: () => Promise<void>;
  readonly onTable?: (done: number, total: number) => void;
}

/**
 * Writes a backup into a database without any table, in one transaction: a restore that is killed,
 * or refused at its last line, leaves the database empty. Before the commit, everything is read back
 * and compared with the backup. Throws BackupRefused.
 */
export async function restoreBackup<Facts>(deps: RestoreDeps<Facts>): Promise<ReadResult<Facts>> {
  const { session, onTable } = deps;
  const sql = makeSql(session.send);
  await sql.unsafe('begin');
  await fixTexts(sql);
  await requireEmpty(sql, deps.advice);
  let catalog: Catalog = { tables: [], leftOut: [] };
  let done = 0;
  const read = await readBackup({
    ...deps,
    onHeader: async (header) => {
      await migrateAtOnce(sql, migrationsOf(header, deps.migrations));
      catalog = await readCatalog(sql, deps.leftOut);
      requireSameTables(header, catalog);
      for (const { name } of [...catalog.tables].reverse()) await emptyTable(sql, name);
    },
    onSection: async ({ section, name, lines }, { tables }) => {
      if (section === 'attachment') return await deps.takeAttachment(name, lines);
      onTable?.(done, tables.length);
      done += 1;
      const table = tables.find((one) => one.name === name);
      if (table && !catalog.leftOut.includes(name)) {
        await copyIn(session, name, copyInStatement(table), lines);
      } else {
        // This program leaves the table out, and the one that wrote the backup did not.
        for await (const _ of lines);
      }
    },
  });
  await requireSameRows(session, catalog, read);
  await deps.beforeCommit?.();
  await sql.unsafe('commit').catch((cause: unknown) => {
    throw new Error(
      'the connection broke while the restore was being completed, and it is not known whether ' +
        'the database took it: it has tables if it did.',
      { cause },
    );
  });
  // Without statistics, the first queries would be planned for empty tables.
  await sql.unsafe('analyze').catch(() => {});
  onTable?.(read.tables, read.tables);
  return read;
}

async function requireEmpty(sql: Sql, { notEmpty }: BackupAdvice): Promise<void> {
  const [found] = await sql<[{ tables: number; database: string }]>`
    select count(*)::int as tables, current_database() as database from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`;
  if (found.tables === 0) return;
  throw new BackupRefused(
    `the database "${found.database}" is not empty (it has ${found.tables} tables), and a ` +
      `restore never writes over anything. ${notEmpty}`,
  );
}

/** The migrations of the backup. Throws BackupRefused if the program does not have them. */
export function migrationsOf(header: BackupHeader, known: readonly Migration[]): Migration[] {
  return header.migrations.map(({ number, fileName, checksum }) => {
    const own = known.find((migration) => migration.number === number);
    if (own?.fileName === fileName && own.checksum === checksum) return own;
    throw new BackupRefused(
      own
        ? `the backup was made with another ${fileName} than this program has: restore it with ` +
            `the program that made it (${header.program}).`
        : `the backup is newer than this program: it has ${fileName}, which this program does ` +
            `not know. Restore it with the newer program (${header.program}).`,
    );
  });
}

/** A table may be left out by the program that wrote, by this one, or by both. */
function requireSameTables(header: BackupHeader, { tables, leftOut }: Catalog): void {
  const shapesOf = (listed: readonly BackupTable[], but: readonly string[]) =>
    listed
      .filter(({ name }) => !but.includes(name))
      .map(({ name, columns }) => `${name} (${columns.join(', ')})`);
  const own = shapesOf(tables, header.leftOut);
  const theirs = shapesOf(header.tables, leftOut);
  const wrong =
    own.find((shape) => !theirs.includes(shape)) ?? theirs.find((shape) => !own.includes(shape));
  if (wrong !== undefined) throw damaged(`its tables are not those of its migrations: ${wrong}`);
}

async function copyIn(
  session: Session,
  name: string,
  statement: string,
  lines: AsyncIterable<Buffer>,
): Promise<void> {
  try {
    await session.copyIn(statement, lines);
  } catch (error) {
    // Classes 22 and 23: the data violate a type, a key or a check.
    const isRefusal = /^2[23]/.test(String((error as { code?: unknown }).code));
    if (!isRefusal) throw error;
    throw damaged(`the database refuses the rows of ${name}: ${(error as Error).message}`, error);
  }
}

/** A backup of the database as it is now must have the same rows. */
async function requireSameRows(
  session: Session,
  { tables }: Catalog,
  { sums }: ReadResult,
): Promise<void> {
  for (const table of tables) {
    const sum = sums.get(table.name);
    if (!sum) continue;
    const digest = new SectionDigest();
    for await (const rows of await session.copyOut(copyOutStatement(table))) digest.update(rows);
    if (!isSameSection(sum, digest.end(table.name))) {
      throw damaged(`the rows of ${table.name} are not the same once they are restored`);
    }
  }
}
