import { type Config, readConfig } from '@servery/server/config/config.ts';
import type { Command } from 'commander';
import type { Environment } from './connection.ts';
import { dataDirFlags } from './data-dir.ts';

/** The options of commands that work on the database of a platform. */
export interface PlatformFlags {
  readonly dataDir?: string;
  readonly databaseUrl?: string;
}

/** Gives a command the options that say on which database it works. */
export function onPlatform(command: Command): Command {
  return command
    .option('--data-dir <folder>', 'folder of the embedded database (SERVERY_DATA_DIR)')
    .option('--database-url <url>', 'a PostgreSQL to use instead (DATABASE_URL)');
}

/** The settings of the platform that the flags and the environment name; throws ConfigError. */
export function configOf(env: Environment, { dataDir, databaseUrl }: PlatformFlags): Config {
  return readConfig(env, [
    ...(dataDir === undefined ? dataDirFlags(env) : ['--data-dir', dataDir]),
    ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl]),
  ]);
}
