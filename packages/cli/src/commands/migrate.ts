import { load } from '@servery/server';
import { configOf, type LocalCall } from '../platform.ts';
import { type Shown, said } from '../shown.ts';
import { mismatchFailure, refuseMismatch, withExisting, withReached } from './backup.ts';

const { examinePlatformMigrations, migratePlatform } = await load.database();

/** Migrates the database. Throws MigrationError, or CommandFailure where it cannot be migrated. */
export async function migrateDatabase(
  call: LocalCall,
  dryRun: boolean | undefined,
): Promise<Shown> {
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
  const failure = mismatchFailure(state);
  return { ...said(state, sentence), ...(failure && { failure }) };
}

function lines(names: readonly string[]): string {
  return names.map((name) => `  ${name}`).join('\n');
}
