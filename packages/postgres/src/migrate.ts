import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from './database.ts';
import { isSqlState } from './postgres-error.ts';
import type { Sql } from './sql.ts';

/** One file of the migrations folder. */
export interface Migration {
  readonly number: number;
  /** The file's name, such as `0001-baseline.sql`. */
  readonly fileName: string;
  readonly statements: string;
  /** SHA-256 of the statements in hexadecimal, the same whatever the line ends. */
  readonly checksum: string;
}

/** The database and the program's migrations do not fit together; the message says what to do. */
export class MigrationError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'MigrationError';
  }
}

const MIGRATION_NAME = /^(\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.sql$/;
const SCHEMA_DUMP = 'schema.sql';
const LOCK_NUMBER = 0;

interface AppliedRow {
  readonly number: number;
  readonly file_name: string;
  readonly checksum: string;
}

/** What is migrated, and how. */
export interface MigrateOptions {
  /** Holds the migrations. */
  readonly folder: string;
  /** Told of each before it is applied. */
  readonly onApply?: (fileName: string) => void;
  /** Called in the transaction of what is applied, behind it. */
  readonly afterwards?: (sql: Sql) => Promise<void>;
}

/**
 * Brings the database up to the newest migration of `folder`, each in a transaction of its own; a
 * database without any gets all of them in one, so that it has all or none.
 * Processes that start at once take turns on one locked row and none applies anything twice.
 * Gives the names that this call applied. Throws MigrationError, having changed nothing, when an
 * applied file was edited, removed or overtaken, or when the database is newer than the program.
 */
export async function migrate(
  database: Pick<Database, 'sql' | 'transaction'>,
  options: MigrateOptions,
): Promise<string[]> {
  const migrations = await readMigrations(options.folder);
  await createLedger(database);
  const applied: string[] = [];
  for (;;) {
    const fileNames = await applyNext(database, migrations, options);
    if (fileNames.length === 0) return applied;
    applied.push(...fileNames);
  }
}

/** How the migrations of a database stand to those of the program, by the names of their files. */
export interface MigrationState {
  /** Applied, and as the program knows them. */
  readonly applied: readonly string[];
  /** Not applied yet. */
  readonly pending: readonly string[];
  /** Applied by a newer program. */
  readonly newer: readonly string[];
  /** Applied, and the program has no such file. */
  readonly missing: readonly string[];
  /** Applied with other statements or under another name. */
  readonly altered: readonly string[];
}

/** Compares the database with the migrations of `folder`; changes nothing. */
export async function examineMigrations(sql: Sql, folder: string): Promise<MigrationState> {
  const migrations = await readMigrations(folder);
  const rows = await listApplied(sql);
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  const newestKnown = migrations.at(-1)?.number ?? 0;
  const isSame = (row: AppliedMigration) => {
    const own = known.get(row.number);
    return own?.fileName === row.fileName && own.checksum === row.checksum;
  };
  const namesOf = (found: readonly AppliedMigration[]) => found.map(({ fileName }) => fileName);
  const isApplied = new Set(rows.map(({ number }) => number));
  return {
    applied: namesOf(rows.filter(isSame)),
    pending: migrations.filter(({ number }) => !isApplied.has(number)).map((one) => one.fileName),
    newer: namesOf(rows.filter(({ number }) => number > newestKnown)),
    missing: namesOf(rows.filter(({ number }) => number <= newestKnown && !known.has(number))),
    altered: namesOf(rows.filter((row) => known.has(row.number) && !isSame(row))),
  };
}

/** A migration that a database has. */
export type AppliedMigration = Pick<Migration, 'number' | 'fileName' | 'checksum'>;

/** The migrations that the database has, in order; none where nobody ever migrated it. */
export async function listApplied(sql: Sql): Promise<AppliedMigration[]> {
  if (!(await hasLedger(sql))) return [];
  const rows = await sql<AppliedMigration[]>`
    select number, file_name as "fileName", checksum from schema_migration
    where number <> ${LOCK_NUMBER} order by number`;
  return [...rows];
}

/**
 * Applies migrations to a database without any table, all in the transaction of `sql`, so that the
 * database has all of them or none. Throws MigrationError.
 */
export async function migrateAtOnce(sql: Sql, migrations: readonly Migration[]): Promise<void> {
  await createTable(sql);
  await insertLock(sql);
  for (const migration of migrations) {
    await runStatements(sql, migration);
    await insertApplied(sql, migration);
  }
}

/** Reads a folder of `NNNN-kebab.sql` in order. Throws MigrationError for any other name. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const migrations: Migration[] = [];
  for (const fileName of names) {
    if (fileName === SCHEMA_DUMP) continue;
    const digits = MIGRATION_NAME.exec(fileName)?.[1];
    if (digits === undefined || Number(digits) === LOCK_NUMBER) {
      throw new MigrationError(
        `${fileName} is no name for a migration; it must be like 0002-what-it-adds.sql`,
      );
    }
    const number = Number(digits);
    const previous = migrations.at(-1);
    if (previous?.number === number) {
      throw new MigrationError(
        `${previous.fileName} and ${fileName} have the same number; give the later one the next`,
      );
    }
    const text = await readFile(path.join(folder, fileName), 'utf8');
    const statements = text.replaceAll('\r\n', '\n');
    const checksum = createHash('sha256').update(statements).digest('hex');
    migrations.push({ number, fileName, statements, checksum });
  }
  return migrations;
}

async function createLedger({ sql }: Pick<Database, 'sql'>): Promise<void> {
  // "If not exists" does not hold against another process that creates it in the same moment, and
  // which of several errors PostgreSQL then answers depends on how far the other one is.
  await createTable(sql).catch(async (error: unknown) => {
    if (!(await hasLedger(sql))) throw error;
  });
  await insertLock(sql);
}

async function hasLedger(sql: Sql): Promise<boolean> {
  const [found] = await sql<[{ exists: boolean }]>`
    select to_regclass('public.schema_migration') is not null as exists`;
  return found.exists;
}

async function createTable(sql: Sql): Promise<void> {
  await sql`
    create table if not exists schema_migration (
      number integer primary key,
      file_name text not null,
      checksum text not null,
      applied_at timestamptz not null
    )`;
}

async function insertLock(sql: Sql): Promise<void> {
  await sql`
    insert into schema_migration (number, file_name, checksum, applied_at)
    values (${LOCK_NUMBER}, 'lock', '', clock_timestamp())
    on conflict (number) do nothing`;
}

async function insertApplied(sql: Sql, { number, fileName, checksum }: Migration): Promise<void> {
  await sql`
    insert into schema_migration (number, file_name, checksum, applied_at)
    values (${number}, ${fileName}, ${checksum}, clock_timestamp())`;
}

async function applyNext(
  database: Pick<Database, 'sql' | 'transaction'>,
  migrations: readonly Migration[],
  { onApply, afterwards }: MigrateOptions,
): Promise<string[]> {
  const apply = async (sql: Sql) => {
    await sql`select number from schema_migration where number = ${LOCK_NUMBER} for update`;
    const applied = await sql<AppliedRow[]>`
      select number, file_name, checksum from schema_migration
      where number <> ${LOCK_NUMBER} order by number`;
    const next = chooseNext(migrations, applied);
    if (next === null) return [];
    // Nobody waits for the tables of a new database, and each COMMIT waits for the disk.
    const chosen = applied.length === 0 ? migrations : [next];
    for (const migration of chosen) {
      onApply?.(migration.fileName);
      await runStatements(sql, migration);
      await insertApplied(sql, migration);
    }
    await afterwards?.(sql);
    return chosen.map(({ fileName }) => fileName);
  };
  return await database.transaction(apply, { statementTimeoutMs: 0 });
}

function chooseNext(
  migrations: readonly Migration[],
  applied: readonly AppliedRow[],
): Migration | null {
  const newestKnown = migrations.at(-1)?.number ?? 0;
  const newestApplied = applied.at(-1);
  if (newestApplied && newestApplied.number > newestKnown) {
    throw new MigrationError(
      `the database is newer than this program: it has ${newestApplied.file_name}, the program` +
        ` knows migrations up to ${migrations.at(-1)?.fileName ?? 'none'}; start the newer program`,
    );
  }
  const appliedByNumber = new Map(applied.map((row) => [row.number, row]));
  const known = new Set(migrations.map((migration) => migration.number));
  const missing = applied.find((row) => !known.has(row.number));
  if (missing) {
    throw new MigrationError(
      `${missing.file_name} was applied to this database, but the program does not have the file;` +
        ' a migration is never removed: restore it, and undo it with a new one',
    );
  }
  let next: Migration | null = null;
  for (const migration of migrations) {
    const row = appliedByNumber.get(migration.number);
    if (row) refuseChanged(migration, row, next);
    else next ??= migration;
  }
  return next;
}

function refuseChanged(migration: Migration, row: AppliedRow, overtaken: Migration | null): void {
  if (row.file_name !== migration.fileName || row.checksum !== migration.checksum) {
    throw new MigrationError(
      `${migration.fileName} was changed after it was applied to this database` +
        `${row.file_name === migration.fileName ? '' : ` as ${row.file_name}`};` +
        ' restore the file as it was, and put the change into a new migration',
    );
  }
  if (overtaken) {
    throw new MigrationError(
      `${overtaken.fileName} is new, but ${migration.fileName} was applied to this database` +
        ' before it; give the new one the next number',
    );
  }
}

async function runStatements(sql: Sql, migration: Migration): Promise<void> {
  try {
    await sql.unsafe(migration.statements);
  } catch (error) {
    if (isSqlState(error, '40001') || isSqlState(error, '40P01')) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`${migration.fileName} failed and was undone: ${reason}`, error);
  }
}
