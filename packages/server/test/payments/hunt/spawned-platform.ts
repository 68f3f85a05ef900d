import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '@servery/postgres/embedded.ts';
import { makeTestFolder, removeTestFolder } from '../../../../postgres/test/test-folder.ts';
import { copyFilledSandbox } from '../../../../support/test/filled-sandbox.ts';
import { programFile } from '../../../../support/test/program.ts';
import { connectDatabase, type Database } from '../../../src/database/database.ts';
import type { DemoClient, DemoFile } from '../../../src/sandbox/demo-file.ts';

const MAIN = programFile('packages/server/src/main.ts');
const READY = /^servery ready (\S+)\s*$/m;

/** Where a sandbox answers, and what its demo.json says. */
export interface ServedDemo {
  readonly url: string;
  readonly demo: DemoFile;
}

/** A sandbox as everybody starts it: a process of its own, with its database and processor. */
export interface SpawnedPlatform extends ServedDemo {
  readonly dataDir: string;
  /** Of the server. */
  readonly pid: number;
  /** Everything that it wrote to standard output and standard error. */
  output(): string;
  /** Its database, as another process sees it. */
  readonly database: Database;
  readonly databaseUrl: string;
  /** Ends server and processor in good order, and lets the database run. */
  endServer(): Promise<void>;
  /** Ends server, processor and database in good order; the files stay. */
  end(): Promise<void>;
  /** Ends what still runs, and removes the files. */
  remove(): Promise<void>;
}

/** Starts a sandbox with these flags, and waits until it answers. */
export async function spawnPlatform(flags: readonly string[]): Promise<SpawnedPlatform> {
  const folder = await makeTestFolder();
  const dataDir = join(folder, 'data');
  if (flags.includes('demo')) await copyFilledSandbox(dataDir);
  const args = [MAIN, '--port', '0', '--data-dir', dataDir, ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const isRead = once(child, 'close');
  const remove = async () => {
    await endChild(child);
    removeTestFolder(folder);
  };
  try {
    const { url, output } = await ready(child);
    const embedded = await startEmbeddedDatabase({ name: 'servery', dataDir });
    const database = connectDatabase({ url: embedded.url, poolSize: 2 });
    const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
    const endServer = async () => {
      await endChild(child);
      // Its last words come after its exit.
      await isRead;
    };
    const end = async () => {
      await endServer();
      await database.close();
      await embedded.stop();
    };
    return {
      url,
      dataDir,
      pid: child.pid ?? 0,
      demo,
      output,
      database,
      databaseUrl: embedded.url,
      endServer,
      end,
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function ready(child: ChildProcess): Promise<{ url: string; output: () => string }> {
  let output = '';
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const collect = (chunk: Buffer) => {
    output += chunk.toString('utf8');
    const url = READY.exec(output)?.[1];
    if (url) resolve(url.replace(/\/$/, ''));
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${output}`)));
  return { url: await promise, output: () => output };
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** Logs an account of the sandbox in; gives its access token. */
export async function logIn({ url }: ServedDemo, account: DemoClient): Promise<string> {
  const { clientId, clientSecret, userAccessType } = account;
  const response = await fetch(`${url}/authentication/v1/authentication/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret, userAccessType }),
  });
  if (!response.ok) throw new Error(`the login was answered with ${response.status}`);
  const { token } = (await response.json()) as { token: { accessToken: string } };
  return token.accessToken;
}

/**
 * Has PostgreSQL write to its files what is still in memory, and the marker to the log of its writes.
 * A checkpoint may remove what was there before; three times, as one may cross the end of a page.
 */
export async function writeMarked({ sql }: Database, marker: string): Promise<void> {
  await sql.unsafe('checkpoint');
  await sql.unsafe(
    `select pg_logical_emit_message(true, 'hunt', '${marker}') from generate_series(1, 3)`,
  );
}

/** All files below a folder, by their path in it. */
export async function* filesBelow(folder: string): AsyncGenerator<readonly [string, Buffer]> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    // PostgreSQL removes files whenever it likes.
    const bytes = await readFile(file).catch(() => null);
    if (bytes) yield [file.slice(folder.length + 1), bytes];
  }
}
