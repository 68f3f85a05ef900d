import { access } from 'node:fs/promises';
import path from 'node:path';
import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import { type Config, type Database, load, readConfig, type TimeLimits } from '@servery/server';
import { type Clock, databaseClock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { Context, Flags } from './command.ts';
import { dataDirFlags } from './data-dir.ts';
import { CommandFailure, exitCodes } from './exit-codes.ts';

const { openDatabase, openEnvironmentClock, openVault } = await load.database();

export interface Platform {
  readonly database: Database;
  readonly vault: Vault;
  /** The environment's clock, which may be moved in a sandbox. */
  readonly clock: Clock;
  readonly realClock: Clock;
}

export interface LocalCall extends Context {
  readonly flags: Flags;
}

/** The settings of the platform that flags and environment name; throws ConfigError. */
export function configOf({ env, flags: { dataDir, databaseUrl } }: LocalCall): Config {
  return readConfig(env, [
    ...(dataDir === undefined ? dataDirFlags(env) : ['--data-dir', dataDir]),
    ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl]),
  ]);
}

/** Runs `work` on the platform that the settings name, whether its server runs or not. */
export async function withPlatform<Result>(
  config: Config,
  call: LocalCall,
  timeLimits: TimeLimits,
  work: (platform: Platform) => Promise<Result>,
): Promise<Result> {
  return await withDatabase(config, call, timeLimits, async (database) => {
    const vault = await openVault(config, database);
    const realClock = databaseClock(await readDatabaseTimeMs(database.sql));
    const { clock } = await openEnvironmentClock({ database, realClock }, config.kind);
    call.signal.throwIfAborted();
    return await work({ database, vault, clock, realClock });
  });
}

export async function withDatabase<Result>(
  config: Config,
  { terminal, signal }: LocalCall,
  timeLimits: TimeLimits,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const say = (line: string) => terminal.err.write(`${line}\n`);
  const { database, close } = await openDatabase(config, say, timeLimits).catch((error) => {
    // Ctrl-C also reaches the programs that create the database, and they fail.
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

/** Whether there is an embedded database; before the first start there is none. */
export async function hasEmbedded({ dataDir }: Config): Promise<boolean> {
  return access(path.join(dataDir, 'postgres', 'data')).then(
    () => true,
    // Without permission, opening it says why.
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT' && code !== 'ENOTDIR',
  );
}

/** Throws CommandFailure without a database: a command that only reads one never creates one. */
export async function requireDatabase(config: Config): Promise<void> {
  if (config.databaseUrl || (await hasEmbedded(config))) return;
  throw new CommandFailure(
    `there is no database in ${config.dataDir} yet. Name another data directory with --data-dir, ` +
      'or a database with --database-url.',
    exitCodes.failure,
  );
}
