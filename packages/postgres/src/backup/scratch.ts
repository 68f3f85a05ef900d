import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connectDatabase } from '../database.ts';
import { withDatabase } from '../database-url.ts';
import { startEmbeddedDatabase } from '../embedded.ts';
import { isRunning } from '../postgres-cluster.ts';
import { isSqlState } from '../postgres-error.ts';
import type { Sql } from '../sql.ts';

export interface ScratchDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A check may take hours. */
const LIMITS = { statementTimeoutMs: 0, idleTransactionTimeoutMs: 0 };

/**
 * Starts a separate PostgreSQL in a temporary folder, which keeps nothing through a crash. First it
 * removes what killed runs have left there.
 */
export async function openScratchServer(
  name: string,
  onProgress: (line: string) => void,
): Promise<ScratchDatabase> {
  const prefix = `${name}-scratch-`;
  await removeLeftFolders(name, prefix);
  const dataDir = await mkdtemp(path.join(tmpdir(), `${prefix}${process.pid}-`));
  const remove = () => rm(dataDir, { recursive: true, force: true, maxRetries: 20 });
  try {
    const server = await startEmbeddedDatabase({ name, dataDir, onProgress, isDurable: false });
    return {
      url: server.url,
      drop: async () => {
        await server.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Makes a database beside the one of `url`, on the same server. First it removes unused databases
 * that killed runs have left. Throws an Error that says what to do if it is not allowed to.
 */
export async function openScratchDatabase(program: string, url: string): Promise<ScratchDatabase> {
  const prefix = `${program}_scratch_`;
  const name = prefix + randomBytes(8).toString('hex');
  await withServer(url, async (sql) => {
    await removeLeftDatabases(sql, prefix);
    await sql.unsafe(`create database ${name} template template0`).catch((error: unknown) => {
      if (!isSqlState(error, '42501')) throw error;
      throw new Error(
        'the user of the scratch server may not create a database there: let it ("alter role … ' +
          'createdb").',
        { cause: error },
      );
    });
  });
  const own = withDatabase(url, name);
  return {
    url: own,
    drop: async () => {
      await withServer(url, (sql) => sql.unsafe(`drop database ${name} with (force)`));
    },
  };
}

async function withServer(url: string, work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const server = connectDatabase({ url, poolSize: 1, ...LIMITS });
  try {
    await work(server.sql);
  } finally {
    await server.close();
  }
}

async function removeLeftDatabases(sql: Sql, prefix: string): Promise<void> {
  const left = await sql<{ name: string }[]>`
    select datname as name from pg_database d
    where starts_with(datname, ${prefix})
      and not exists (select from pg_stat_activity a where a.datid = d.oid)`;
  for (const { name } of left) {
    // Its maker may be about to connect to it, or it belongs to another user.
    await sql.unsafe(`drop database if exists "${name}"`).catch(() => {});
  }
}

/** A folder has the id of the process that made it; a dead process needs it no more. */
async function removeLeftFolders(program: string, prefix: string): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const dataDir = path.join(tmpdir(), name);
    // To join its server and leave it as the last one stops it.
    const left = await startEmbeddedDatabase({ name: program, dataDir, isDurable: false }).catch(
      () => null,
    );
    await left?.stop().catch(() => {});
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20 }).catch(() => {});
  }
}
