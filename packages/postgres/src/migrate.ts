import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from './database.ts';
import { makeOnce } from './make-once.ts';
import { isSqlState } from './postgres-error.ts';
import type { Sql } from './sql.ts';

export interface AppliedMigration {
  readonly number: number;
  readonly fileName: string;
  /** SHA-256 of the statements in hexadecimal, the same for every kind of line ends. */
  readonly checksum: string;
}

export interface Migration extends AppliedMigration {
  readonly statements: string;
}

/** The database does not fit the migrations of the program; the message says what to do. */
export class MigrationError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'MigrationError';
  }
}

const MIGRATION_NAME = /^(\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.sql$/;
const SCHEMA_DUMP = 'schema.sql';
const LOCK_NUMBER = 0;
const HAS_LEDGER = "to_regclass('schema_migration') is not null";
const CREATE_LEDGER = `
  create table schema_migration (
    number integer primary key,
    file_name text not null,
    checksum text not null,
    applied_at timestamptz not null
  )`;

export interface MigrateOptions {
  readonly folder: string;
  readonly onApply?: (fileName: string) => void;
  /** Called at the end of each transaction that applies something. */
  readonly afterwards?: (sql: Sql) => Promise<void>;
}

/**
 * Applies the migrations of `folder` that the database does not have, each in its own transaction.
 * A database without any gets all of them in one, so that it has all or none. Processes that start
 * at once take turns on one locked row, and none applies anything twice. Returns the file names
 * that this call applied. Throws MigrationError, with nothing changed, for a database that does not
 * fit the program.
 */
export async function migrate(
  database: Pick<Database, 'sql' | 'transaction'>,
  options: MigrateOptions,
): Promise<string[]> {
  const migrations = await readMigrations(options.folder);
  await makeOnce(database.sql, HAS_LEDGER, CREATE_LEDGER);
  await insertLock(database.sql);
  const applied: string[] = [];
  for (;;) {
    const fileNames = await applyNext(database, migrations, options);
    if (fileNames.length === 0) return applied;
    applied.push(...fileNames);
  }
}

/** File names. */
export interface MigrationState {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied, and later than all that the program has. */
  readonly newer: readonly string[];
  /** Applied, and the program has no such migration, or a different one of that number. */
  readonly unknown: readonly string[];
}

export async function examineMigrations(sql: Sql, folder: string): Promise<MigrationState> {
  return compare(await readMigrations(folder), await listApplied(sql));
}

/** Null when the program can use the database, once the pending migrations are applied. */
export function findMismatch({ newer, unknown }: MigrationState) {
  if (unknown.length > 0) {
    return {
      found:
        'this database comes from an older development version ' +
        `(this program does not know its migration ${unknown[0]})`,
      fix: 'use a new data folder or an empty database',
    };
  }
  if (newer.length > 0) {
    return {
      found: `this database is newer than this program (it has the migration ${newer[0]})`,
      fix: 'use the newer program',
    };
  }
  return null;
}

export async function listApplied(sql: Sql): Promise<AppliedMigration[]> {
  const [found] = await sql.unsafe(`select ${HAS_LEDGER} as has_ledger`);
  return found?.has_ledger ? await selectApplied(sql) : [];
}

/**
 * Applies migrations to a database without any table, all in the transaction of `sql`, so that the
 * database has all of them or none. Throws MigrationError.
 */
export async function migrateAtOnce(sql: Sql, migrations: readonly Migration[]): Promise<void> {
  await sql.unsafe(CREATE_LEDGER);
  await insertLock(sql);
  await applyAll(sql, migrations);
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
        `${fileName} is not a valid name for a migration: use one like 0002-what-it-adds.sql`,
      );
    }
    const number = Number(digits);
    const previous = migrations.at(-1);
    if (previous?.number === number) {
      throw new MigrationError(
        `${previous.fileName} and ${fileName} have the same number: give the later one the next`,
      );
    }
    const text = await readFile(path.join(folder, fileName), 'utf8');
    const statements = text.replaceAll('\r\n', '\n');
    const checksum = createHash('sha256').update(statements).digest('hex');
    migrations.push({ number, fileName, statements, checksum });
  }
  return migrations;
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

async function selectApplied(sql: Sql): Promise<AppliedMigration[]> {
  return await sql<AppliedMigration[]>`
    select number, file_name as "fileName", checksum from schema_migration
    where number <> ${LOCK_NUMBER} order by number`;
}

async function applyNext(
  database: Pick<Database, 'sql' | 'transaction'>,
  migrations: readonly Migration[],
  { onApply, afterwards }: MigrateOptions,
): Promise<string[]> {
  const apply = async (sql: Sql) => {
    await sql`select number from schema_migration where number = ${LOCK_NUMBER} for update`;
    const next = chooseNext(migrations, await selectApplied(sql));
    if (next.length === 0) return [];
    await applyAll(sql, next, onApply);
    await afterwards?.(sql);
    return next.map(({ fileName }) => fileName);
  };
  return await database.transaction(apply, { statementTimeoutMs: 0 });
}

function chooseNext(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  const mismatch = findMismatch(compare(migrations, applied));
  if (mismatch) throw new MigrationError(`${mismatch.found}: ${mismatch.fix}`);
  const newest = applied.at(-1);
  // Nobody waits for the tables of a new database, and each COMMIT waits for the disk.
  if (!newest) return migrations;
  const next = migrations.find(({ number }) => applied.every((row) => row.number !== number));
  if (!next) return [];
  if (next.number > newest.number) return [next];
  throw new MigrationError(
    `${next.fileName} is new, but this database already has ${newest.fileName}: ` +
      'give the new one the next number',
  );
}

function compare(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): MigrationState {
  const newestKnown = migrations.at(-1)?.number ?? 0;
  const kindOf = ({ number, fileName, checksum }: AppliedMigration) => {
    const own = migrations.find((migration) => migration.number === number);
    if (own?.fileName === fileName && own.checksum === checksum) return 'applied';
    return number > newestKnown ? 'newer' : 'unknown';
  };
  const found = Object.groupBy(applied, kindOf);
  const pending = migrations.filter(({ number }) => applied.every((row) => row.number !== number));
  const namesOf = (list: readonly AppliedMigration[] = []) => list.map(({ fileName }) => fileName);
  return {
    applied: namesOf(found.applied),
    pending: namesOf(pending),
    newer: namesOf(found.newer),
    unknown: namesOf(found.unknown),
  };
}

async function applyAll(
  sql: Sql,
  migrations: readonly Migration[],
  onApply?: MigrateOptions['onApply'],
): Promise<void> {
  for (const migration of migrations) {
    onApply?.(migration.fileName);
    await runStatements(sql, migration);
    await insertApplied(sql, migration);
  }
}

async function runStatements(sql: Sql, migration: Migration): Promise<void> {
  try {
    await sql.unsafe(migration.statements);
  } catch (error) {
    if (isSqlState(error, '40001') || isSqlState(error, '40P01')) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`${migration.fileName} failed and was rolled back: ${reason}`, error);
  }
}
