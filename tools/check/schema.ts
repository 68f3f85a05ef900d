/**
 * Writes packages/server/migrations/schema.sql from a freshly migrated database; with `--check` it
 * compares instead, and ends with 1 when the committed file is another.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readArguments, readOrEnd, toggle } from '../../bench/src/command-line.ts';
import { dumpSchema } from '../../packages/postgres/src/schema-dump.ts';
import { migrationsFolder } from '../../packages/server/src/database/migrations.ts';
import { createTestDatabase } from '../../packages/server/test/database.ts';

const line = {
  command: 'npm run schema',
  about: 'Writes schema.sql, so that it is what the migrations make.',
  words: null,
  flags: { check: toggle('compares instead, and fails when they are not') },
};
const HEADING = `\
-- The schema that the migrations make, for review. \`npm run schema\` writes this file and a test
-- compares it; it is never applied.
`;
const isCheck = readOrEnd(() => readArguments(line, process.argv.slice(2))).values.check;
const file = path.join(migrationsFolder, 'schema.sql');
const { database, drop } = await createTestDatabase();
const schema = `${HEADING}\n${await dumpSchema(database.sql)}`;
await drop();

if (!isCheck) {
  await writeFile(file, schema);
} else if ((await readFile(file, 'utf8').catch(() => '')) !== schema) {
  console.error('migrations/schema.sql is not what the migrations make; run npm run schema');
  process.exitCode = 1;
}
