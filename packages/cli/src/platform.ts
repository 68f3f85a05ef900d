import { access } from 'node:fs/promises';
import path from 'node:path';
import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import type { Config } from '@servery/server/config/config.ts';
import { openVault } from '@servery/server/config/secrets.ts';
import type { Database } from '@servery/server/database/database.ts';
import { openDatabase, type TimeLimits } from '@servery/server/database/open.ts';
import { openEnvironmentClock } from '@servery/server/sandbox/clock.ts';
import { type Clock, databaseClock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import { CommandFailure, exitCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** The parts of a platform that a command works on. */
export interface Platform {
  readonly database: Database;
  readonly vault: Vault;
  /** The environment's clock, which in a sandbox may have been moved. */
  readonly clock: Clock;
  /** Real time, by the database's clock. */
  readonly realClock: Clock;
}

/** What a command talks to, and what tells it to end. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Aborted with what the command is to throw: it then gives back what it holds and ends. */
  readonly signal: AbortSignal;
}

/**
 * Runs `work` on the platform that the settings name, whether its server runs or not, and lets go
 * of it afterwards, however `work` ends. Once the signal is aborted, `work` is not begun any more.
 */
export async function withPlatform<Result>(
  config: Config,
  context: CommandContext,
  timeLimits: TimeLimits,
  work: (platform: Platform) => Promise<Result>,
): Promise<Result> {
  return await withDatabase(config, context, timeLimits, async (database) => {
    const vault = await openVault(config, database);
    const realClock = databaseClock(await readDatabaseTimeMs(database.sql));
    const { clock } = await openEnvironmentClock({ database, realClock }, config.kind);
    context.signal.throwIfAborted();
    return await work({ database, vault, clock, realClock });
  });
}

/** The same for what needs the database alone: it works without the master key, too. */
export async function withDatabase<Result>(
  config: Config,
  { terminal, signal }: CommandContext,
  timeLimits: TimeLimits,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const say = (line: string) => terminal.err.write(`${line}\n`);
  const { database, close } = await openDatabase(config, say, timeLimits).catch((error) => {
    // Ctrl-C reaches the programs that make the database too, and they fail.
    signal.throwIfAborted();
    throw error;
  });
  try {
    signal.throwIfAborted();
    return await work(database);
  } finally {
    await close();
  }
}

/** Whether there is an embedded database to look at; before the first start there is none. */
export async function hasEmbedded({ dataDir }: Config): Promise<boolean> {
  return access(path.join(dataDir, 'postgres', 'data')).then(
    () => true,
    // Whoever may not look into the folder is told so by whatever opens it.
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT' && code !== 'ENOTDIR',
  );
}

/**
 * Throws CommandFailure where there is no database: whoever only looks at one, or at what is in
 * it, never makes one.
 */
export async function requireDatabase(config: Config): Promise<void> {
  if (config.databaseUrl || (await hasEmbedded(config))) return;
  throw new CommandFailure(
    `there is no database in ${config.dataDir} yet: name the folder of one with --data-dir, or ` +
      'one with --database-url.',
    exitCodes.failure,
  );
}
