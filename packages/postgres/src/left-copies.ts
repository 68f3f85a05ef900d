import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseDatabaseUrl } from './database-url.ts';
import { isSqlState } from './postgres-error.ts';
import { sessionOpener } from './session.ts';
import { makeSql, quoted, type Sql } from './sql.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const LOCK_HELD = '55P03';

/**
 * Removes what a PostgreSQL that was killed has left: the folders of databases that were being
 * copied, and databases that were being dropped. Returns how many. `url` is a superuser's.
 */
export async function removeLeftCopies(url: string, dataFolder: string): Promise<number> {
  const session = sessionOpener({
    address: parseDatabaseUrl(url),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    settings: {},
  })();
  try {
    const sql = makeSql(session.send);
    return (await removeFolders(sql, dataFolder)) + (await dropInvalid(sql));
  } finally {
    await session.end(0);
  }
}

/**
 * PostgreSQL makes the folder first and commits the row of pg_database last. CREATE DATABASE and
 * DROP DATABASE lock that table in between, so under this lock a folder without a row is nobody's.
 * No page of it waits to be written: a recovery ends with a checkpoint before anybody connects.
 */
async function removeFolders(sql: Sql, dataFolder: string): Promise<number> {
  const base = path.join(dataFolder, 'base');
  await sql.unsafe('begin');
  try {
    await sql.unsafe('lock table pg_database in share mode nowait');
    const rows = await sql<{ oid: string }[]>`select oid::text as oid from pg_database`;
    const named = new Set(rows.map(({ oid }) => oid));
    const folders = (await readdir(base)).filter((name) => /^\d+$/.test(name));
    const left = folders.filter((name) => !named.has(name));
    for (const name of left) await rm(path.join(base, name), { recursive: true, force: true });
    return left.length;
  } catch (error) {
    // Another process is copying already. The next start looks again.
    if (isSqlState(error, LOCK_HELD)) return 0;
    throw error;
  } finally {
    await sql.unsafe('rollback');
  }
}

async function dropInvalid(sql: Sql): Promise<number> {
  const rows = await sql<{ name: string }[]>`
    select datname as name from pg_database where datconnlimit = -2`;
  for (const { name } of rows) await sql.unsafe(`drop database if exists ${quoted(name)}`);
  return rows.length;
}
