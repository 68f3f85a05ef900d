import { fileURLToPath } from 'node:url';
import {
  examineMigrations,
  type MigrateOptions,
  type Migration,
  type MigrationState,
  migrate,
  readMigrations,
} from '@servery/postgres/migrate.ts';
import type { Sql } from '@servery/postgres/sql.ts';
import { updateEverything } from '../freshness/change-mark-store.ts';
import type { Database } from './database.ts';

export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));

export async function migratePlatform(
  database: Pick<Database, 'sql' | 'transaction'>,
  options: Partial<Pick<MigrateOptions, 'folder' | 'onApply'>> = {},
): Promise<string[]> {
  return await migrate(database, {
    folder: migrationsFolder,
    ...options,
    // Running processes may remember what the migration has changed.
    afterwards: updateEverything,
  });
}

export async function examinePlatformMigrations(sql: Sql): Promise<MigrationState> {
  return await examineMigrations(sql, migrationsFolder);
}

export async function readPlatformMigrations(): Promise<Migration[]> {
  return await readMigrations(migrationsFolder);
}
