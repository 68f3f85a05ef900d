import type { Config } from '@servery/server/config.ts';
import { type Database, readDatabaseTimeMs } from '@servery/server/db/database.ts';
import { openDatabase } from '@servery/server/db/open.ts';
import { loadMasterKey } from '@servery/server/secrets.ts';
import { type Clock, databaseClock } from '@servery/server/support/clock.ts';
import { createVault, type Vault } from '@servery/server/support/secret.ts';

/** The parts of a platform that a command works on. */
export interface Platform {
  readonly database: Database;
  readonly vault: Vault;
  readonly clock: Clock;
}

/**
 * Runs `work` on the platform that the settings name, whether its server runs or not, and lets go of
 * it afterwards, however `work` ends.
 */
export async function withPlatform<Result>(
  config: Config,
  onProgress: (line: string) => void,
  work: (platform: Platform) => Promise<Result>,
): Promise<Result> {
  const vault = createVault(await loadMasterKey(config));
  const { database, close } = await openDatabase(config, onProgress);
  try {
    const clock = databaseClock(await readDatabaseTimeMs(database.sql));
    return await work({ database, vault, clock });
  } finally {
    await close();
  }
}
