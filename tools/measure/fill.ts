import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import { stopEmbeddedDatabases } from '@servery/postgres/embedded.ts';
import { databaseClock } from '@servery/support/clock.ts';
import { readOrEnd } from '../../bench/src/command-line.ts';
import { openVault } from '../../packages/server/src/config/secrets.ts';
import { openDatabase } from '../../packages/server/src/database/open.ts';
import { fillDatabase } from './fill/fill.ts';
import { readFillCommand } from './fill/options.ts';

/**
 * Fills a test platform with many restaurants and payments, to see how it grows:
 * `npm run fill -- --restaurants 100000 --data-dir DIR`; `--help` tells of all flags.
 */

const { config, options } = readOrEnd(() => readFillCommand(process.argv.slice(2), process.env));
const startedAtMs = performance.now();
const tell = (line: string) => {
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  process.stderr.write(`${String(seconds).padStart(4)} s  ${line}\n`);
};
// An embedded PostgreSQL would outlive it. What was not committed is undone.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopEmbeddedDatabases().finally(() => process.exit(130)));
}
try {
  await fill();
} catch (error) {
  tell(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function fill(): Promise<void> {
  const { database, close } = await openDatabase(config, tell, { statementTimeoutMs: 0 });
  try {
    const vault = await openVault(config, database);
    const clock = databaseClock(await readDatabaseTimeMs(database.sql));
    const filled = await fillDatabase({ database, vault, clock, tell }, options);
    process.stdout.write(`${JSON.stringify(filled)}\n`);
    tell('filled');
  } finally {
    await close();
  }
}
