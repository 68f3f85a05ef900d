import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import type { MigrationState } from '@servery/postgres/migrate.ts';
import { load } from '@servery/server';
import { CommandFailure, exitCodes } from '../exit-codes.ts';
import { configOf, type LocalCall } from '../platform.ts';
import { counted, type Shown, said } from '../shown.ts';
import { mismatchFailure, refuseMismatch, withExisting, withReached } from './backup.ts';

const { distributePlatform, examinePlatformMigrations, migratePlatform } = await load.database();
const { SILENCE_MS, findEnvironmentFacts } = await load.checks();

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
  const failure = mismatchFailure(state);
  return { ...said(state, statusText(state)), ...(failure && { failure }) };
}

function statusText({ applied, unknown, newer, pending }: MigrationState): string {
  const inDatabase = [...applied, ...unknown, ...newer];
  const are = (count: number) => (count === 1 ? 'is' : 'are');
  const parts = [
    inDatabase.length === 0
      ? 'No migration is applied'
      : `${counted(inDatabase.length, 'migration')} ${are(inDatabase.length)} applied`,
    ...(unknown.length > 0 ? [`not as in this program: ${unknown.join(', ')}`] : []),
    ...(newer.length > 0 ? [`newer than this program: ${newer.join(', ')}`] : []),
    ...(inDatabase.length > 0 ? [`the newest is ${inDatabase.at(-1)}`] : []),
    pending.length === 0
      ? 'none is pending.'
      : `${pending.length} ${are(pending.length)} pending:\n${lines(pending)}`,
  ];
  return parts.join('; ');
}

/** Throws CommandFailure where the tables cannot be moved. */
export async function distributeDatabase(call: LocalCall): Promise<Shown> {
  const isMoved = await withExisting(configOf(call), call, async ({ database }) => {
    const state = await examinePlatformMigrations(database.sql);
    refuseMismatch(state);
    if (state.pending.length > 0) {
      throw new CommandFailure('first run servery migrate', exitCodes.failure);
    }
    const nowMs = await readDatabaseTimeMs(database.sql);
    const { processes } = await findEnvironmentFacts(database.sql, new Date(nowMs - SILENCE_MS));
    const say = (table: string) => call.terminal.err.write(`moving: ${table}\n`);
    return await distributePlatform(database, processes, say).catch((error: Error) => {
      throw new CommandFailure(error.message.replace(/\.$/, ''), exitCodes.failure, {
        cause: error,
      });
    });
  });
  return isMoved
    ? said({ distributed: true }, 'The tables of restaurants are on the workers now.')
    : said({ distributed: true }, 'The tables of restaurants already are on the workers.');
}

function lines(names: readonly string[]): string {
  return names.map((name) => `  ${name}`).join('\n');
}
