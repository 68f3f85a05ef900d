import type { Config } from '@servery/server/config/config.ts';
import { examinePlatformMigrations, migratePlatform } from '@servery/server/database/migrations.ts';
import { showJson } from '../session.ts';
import { type BackupContext, refuseMismatch, withExisting, withReached } from './backup.ts';

/** The options of `servery migrate`. */
export interface MigrateFlags {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/**
 * `servery migrate`: brings the database to the newest migration, as every start does; with
 * `--dry-run` only tells what it would do. Throws MigrationError, or CommandFailure for a database
 * that cannot be migrated.
 */
export async function runMigrate(
  config: Config,
  flags: MigrateFlags,
  context: BackupContext,
): Promise<void> {
  const { out, err } = context.terminal;
  const open = flags.dryRun ? withExisting : withReached;
  const { pending, applied } = await open(config, context, async ({ database }) => {
    const state = await examinePlatformMigrations(database.sql);
    refuseMismatch(state);
    if (flags.dryRun) return { pending: state.pending, applied: [] };
    const say = (file: string) => err.write(`migrating: ${file}\n`);
    return { pending: [], applied: await migratePlatform(database, { onApply: say }) };
  });
  if (flags.json) return showJson(context, { applied, pending });
  if (flags.dryRun) {
    out.write(
      pending.length === 0
        ? 'Nothing is to be migrated.\n'
        : `servery migrate would apply, each in a transaction of its own:\n${lines(pending)}` +
            'Make a backup first: servery backup before-migration.backup\n',
    );
  } else {
    out.write(
      applied.length === 0
        ? 'The database had the newest migration already.\n'
        : `Applied:\n${lines(applied)}`,
    );
  }
}

/**
 * `servery migrate status`: how the database and the program stand to each other. Throws
 * CommandFailure when they do not fit.
 */
export async function runMigrateStatus(
  config: Config,
  flags: MigrateFlags,
  context: BackupContext,
): Promise<void> {
  const state = await withExisting(config, context, ({ database }) =>
    examinePlatformMigrations(database.sql),
  );
  if (flags.json) showJson(context, state);
  else {
    const { applied, pending } = state;
    const newest = applied.at(-1) ?? 'none';
    context.terminal.out.write(
      `${applied.length} migrations are applied, the newest is ${newest}; ` +
        `${pending.length} are to be applied${pending.length === 0 ? '.' : ':'}\n${lines(pending)}`,
    );
  }
  refuseMismatch(state);
}

function lines(names: readonly string[]): string {
  return names.map((name) => `  ${name}\n`).join('');
}
