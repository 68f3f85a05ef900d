import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const schemaFile = fileURLToPath(
  new URL('../../../packages/server/migrations/schema.sql', import.meta.url),
);

/** Made by whatever applies migrations, and not by one. */
const MADE_BEFORE = ['schema_migration'];

/** Tables that the page about retention does not have, and those that it alone has. */
export async function findRetentionFaults(page: string): Promise<string[]> {
  const schema = await readFile(schemaFile, 'utf8');
  const made = [...schema.matchAll(/^create table (\w+)/gm)].map(([, name = '']) => name);
  const tables = new Set([...made, ...MADE_BEFORE]);
  const cells = [...page.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = '']) => cell);
  const told = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  return [
    ...[...tables].filter((name) => !told.includes(name)).map((name) => `lacks the table ${name}`),
    ...told.filter((name) => !tables.has(name)).map((name) => `has ${name}, which is no table`),
    ...told
      .filter((name, at) => told.indexOf(name) !== at)
      .map((name) => `has the table ${name} twice`),
  ];
}
