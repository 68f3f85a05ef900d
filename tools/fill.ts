/**
 * Fills a platform with as much as large ones have, to try and to measure how it grows:
 * `npm run fill -- --restaurants 100000 --data-dir DIR`. With `--items 100,50000` restaurants of so
 * many items, with `--applied N` open payments that wait for their capture deadlines, and with
 * `--authorized N --due-per-second R --due-in SECONDS` authorizations that fall due one after the
 * other. `--leave-statistics` spares the database the look at all that there is; `--alone` is much
 * quicker where there is much, and keeps everybody else out meanwhile. The database is
 * that of the settings (DATABASE_URL, SERVERY_…), brought to the newest migration. Prints as JSON
 * how the result is reached; called again it adds what is missing.
 */
import { parseArgs } from 'node:util';
import { readConfig } from '@servery/server/config.ts';
import { readDatabaseTimeMs } from '@servery/server/db/database.ts';
import { stopEmbeddedDatabases } from '@servery/server/db/embedded.ts';
import { openDatabase } from '@servery/server/db/open.ts';
import { openVault } from '@servery/server/secrets.ts';
import { databaseClock } from '@servery/server/support/clock.ts';
import { fillDatabase } from './fill/fill.ts';

const { values } = parseArgs({
  options: {
    restaurants: { type: 'string', default: '1000' },
    items: { type: 'string', default: '' },
    applied: { type: 'string', default: '0' },
    authorized: { type: 'string', default: '0' },
    'due-per-second': { type: 'string', default: '100' },
    'due-in': { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    'leave-statistics': { type: 'boolean', default: false },
    alone: { type: 'boolean', default: false },
    'data-dir': { type: 'string' },
  },
});

const startedAtMs = performance.now();
const tell = (line: string) => {
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  process.stderr.write(`${String(seconds).padStart(4)} s  ${line}\n`);
};
const dataDir = values['data-dir'];
const config = readConfig(process.env, dataDir === undefined ? [] : ['--data-dir', dataDir]);
// An embedded PostgreSQL would outlive it. What was not committed is undone.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopEmbeddedDatabases().finally(() => process.exit(130)));
}
const { database, close } = await openDatabase(config, tell, { statementTimeoutMs: 0 });
try {
  const vault = await openVault(config, database);
  const clock = databaseClock(await readDatabaseTimeMs(database.sql));
  const filled = await fillDatabase(
    { database, vault, clock, tell },
    {
      restaurants: whole(values.restaurants),
      items: values.items.split(',').filter(Boolean).map(whole),
      applied: whole(values.applied),
      authorized: whole(values.authorized),
      duePerSecond: whole(values['due-per-second']),
      dueInMs: whole(values['due-in']) * 1_000,
      seed: values.seed,
      countsAll: !values['leave-statistics'],
      isAlone: values.alone,
    },
  );
  process.stdout.write(`${JSON.stringify(filled)}\n`);
  tell('filled');
} finally {
  await close();
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${text} is not a whole number`);
  return Number(text);
}
