/**
 * Writes packages/server/migrations/schema.sql from a freshly migrated database; with `--check` it
 * compares instead, and ends with 1 when the committed file is another.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { migrationsFolder } from '../packages/server/src/db/migrate.ts';
import { dumpSchema } from '../packages/server/src/db/schema-dump.ts';
import { createTestDatabase } from '../packages/server/test/database.ts';

const file = path.join(migrationsFolder, 'schema.sql');
const { database, drop } = await createTestDatabase();
const schema = await dumpSchema(database.sql);
await drop();

if (!process.argv.includes('--check')) {
  await writeFile(file, schema);
} else if ((await readFile(file, 'utf8').catch(() => '')) !== schema) {
  console.error('migrations/schema.sql is not what the migrations make; run npm run schema');
  process.exitCode = 1;
}
