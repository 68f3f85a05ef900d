import type { MigrationState } from '@servery/postgres/migrate.ts';
import { examinePlatformMigrations, migratePlatform } from '@servery/server/database/migrations.ts';
import { CommandFailure, exitCodes } from '../exit-codes.ts';
import { configOf, type LocalCall } from '../platform.ts';
import { type Shown, said } from '../shown.ts';
import { withExisting, withReached } from './backup.ts';

interface MigrateCall extends LocalCall {
  readonly options: { readonly dryRun: boolean | undefined };
}

/** Migrates the database. Throws MigrationError, or CommandFailure where it cannot be migrated. */
export async function migrateDatabase(call: MigrateCall): Promise<Shown> {
  const { dryRun } = call.options;
  const open = dryRun ? withExisting : withReached;
  const { pending, applied } = await open(configOf(call), call, async ({ database }) => {
    const state = await examinePlatformMigrations(database.sql);
    refuseMismatch(state);
    if (dryRun) return { pending: state.pending, applied: [] };
    const say = (file: string) => call.terminal.err.write(`migrating: ${file}\n`);
    return { pending: [], applied: await migratePlatform(database, { onApply: say }) };
  });
  const result = { applied, pending };
  if (!dryRun) {
    return applied.length === 0
      ? said(result, 'The database already has the newest version.')
      : said(result, `Applied:\n${lines(applied)}`);
  }
  if (pending.length === 0) return said(result, 'There is nothing to migrate.');
  return said(
    result,
    `servery migrate would apply, each in its own transaction:\n${lines(pending)}\n` +
      'Make a backup first: servery backup before-migration.backup',
  );
}

/** Shows how database and program compare. Throws CommandFailure when they do not match. */
export async function migrationStatus(call: LocalCall): Promise<Shown> {
  const state = await withExisting(configOf(call), call, ({ database }) =>
    examinePlatformMigrations(database.sql),
  );
  const { applied, pending } = state;
  const newest = applied.at(-1) ?? 'none';
  const list = pending.length === 0 ? '.' : `:\n${lines(pending)}`;
  const sentence =
    `${applied.length} migrations are applied, the newest is ${newest}; ${pending.length} are ` +
    `pending${list}`;
  const failure = mismatchOf(state);
  return { ...said(state, sentence), ...(failure && { failure }) };
}

function refuseMismatch(state: MigrationState): void {
  const failure = mismatchOf(state);
  if (failure) throw failure;
}

function mismatchOf({ newer, missing, altered }: MigrationState): CommandFailure | null {
  const told = [
    ...newer.map((name) => `${name} is newer than this program. Use the newer program.`),
    ...missing.map((name) => `${name} was applied, but this program does not have it. Restore it.`),
    ...altered.map((name) => `${name} was changed after it was applied. Restore the old file.`),
  ];
  if (told.length === 0) return null;
  return new CommandFailure(
    `the database and this program do not match:\n${told.map((line) => `  - ${line}`).join('\n')}`,
    exitCodes.failure,
  );
}

function lines(names: readonly string[]): string {
  return names.map((name) => `  ${name}`).join('\n');
}
