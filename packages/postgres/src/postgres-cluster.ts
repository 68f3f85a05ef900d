import { randomBytes, randomUUID } from 'node:crypto';
import {
  chmod,
  chown,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { makeDataDir } from '@servery/support/data-dir.ts';
import { startChild } from '@servery/support/start-child.ts';
import { canEnter, chooseAccount, type PostgresAccount } from './postgres-account.ts';
import { findBinaries, type PostgresBinaries, placesOf } from './postgres-binaries.ts';
import { EmbeddedDatabaseError } from './postgres-error.ts';

/** The files of one embedded PostgreSQL, its programs, and the account that runs them. */
export interface Cluster {
  /** Of the superuser, of the database, and of what is made outside of `folder`. */
  readonly name: string;
  /** Holds everything of PostgreSQL: data, password, log. Only its account may enter. */
  readonly folder: string;
  readonly dataFolder: string;
  /**
   * The data folder as PostgreSQL gets it. If a folder above is closed to the account, for example
   * the home of root, it is PostgreSQL's working folder.
   */
  readonly dataFolderArgument: string;
  readonly logFile: string;
  readonly password: string;
  readonly account: PostgresAccount | null;
  readonly binaries: PostgresBinaries;
}

export interface Telling {
  readonly onProgress: (message: string) => void;
  /** Called when PostgreSQL works by itself and this process is free for other work. */
  readonly onBegun: () => void;
}

const WORKING_FOLDER = '/proc/self/cwd';
const PASSWORD_FILE = 'password';
const DRAFT_PREFIX = 'new-data-';

/**
 * Opens the PostgreSQL files below `dataDir`, and makes them if there are none. Processes that do
 * so at once get the same ones. A finished draft is renamed into place, so a kill leaves nothing
 * half made. Throws EmbeddedDatabaseError.
 */
export async function openCluster(
  name: string,
  dataDir: string,
  isDurable: boolean,
  { onProgress, onBegun }: Telling,
): Promise<Cluster> {
  const folder = path.join(dataDir, 'postgres');
  await makeDataDir(dataDir);
  const account = await chooseAccount(folder);
  await makePrivateFolder(folder, account);
  const binaries = await findBinaries(account, folder, onProgress, placesOf(name));
  const dataFolder = path.join(folder, 'data');
  const cluster: Cluster = {
    name,
    folder,
    dataFolder,
    dataFolderArgument: await chooseArgument(folder, dataFolder, account),
    logFile: path.join(folder, 'log'),
    password: await openPassword(folder, account),
    account,
    binaries,
  };
  const madeWith = await readVersion(dataFolder);
  if (madeWith === null) {
    onProgress('creating the embedded PostgreSQL');
    await createData(cluster, isDurable, onBegun);
  } else if (madeWith !== binaries.majorVersion) {
    throw new EmbeddedDatabaseError(
      `${dataFolder} was made by PostgreSQL ${madeWith}, the embedded one is` +
        ` ${binaries.majorVersion}; export with the program that made it and import with this one`,
    );
  }
  return cluster;
}

/** For a child process. */
export function identityOf({ account }: Pick<Cluster, 'account'>) {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

async function makePrivateFolder(folder: string, account: PostgresAccount | null): Promise<void> {
  await makeDataDir(folder, 0o700);
  if (account) await chown(folder, account.uid, account.gid);
  await chmod(folder, 0o700).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM') throw error;
    throw new EmbeddedDatabaseError(
      `${folder} belongs to another user; start this program as root or as that user, or` +
        ' choose another data folder',
      error,
    );
  });
}

async function chooseArgument(
  folder: string,
  dataFolder: string,
  account: PostgresAccount | null,
): Promise<string> {
  if (account === null || (await canEnter(account, folder))) return dataFolder;
  if (process.platform === 'linux') return WORKING_FOLDER;
  throw new EmbeddedDatabaseError(
    `PostgreSQL runs as user ${account.name}, who cannot enter ${path.dirname(folder)}; choose a` +
      ' data folder that every user can reach, or start this program as a normal user',
  );
}

async function openPassword(folder: string, account: PostgresAccount | null): Promise<string> {
  const file = path.join(folder, PASSWORD_FILE);
  const draft = path.join(folder, `${PASSWORD_FILE}-${randomUUID()}`);
  const existing = await readFile(file, 'utf8').catch(() => null);
  if (existing !== null) return existing.trim();
  if ((await readVersion(path.join(folder, 'data'))) !== null) {
    throw new EmbeddedDatabaseError(
      `${file} is missing: without it nobody can enter the database in ${folder}; restore the file`,
    );
  }
  await writeFile(draft, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
  if (account) await chown(draft, account.uid, account.gid);
  // A link appears complete, and only once. Another process may have been faster.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return (await readFile(file, 'utf8')).trim();
}

async function readVersion(dataFolder: string): Promise<number | null> {
  const text = await readFile(path.join(dataFolder, 'PG_VERSION'), 'utf8').catch(() => null);
  return text === null ? null : Number.parseInt(text, 10);
}

async function createData(
  cluster: Cluster,
  isDurable: boolean,
  onBegun: () => void,
): Promise<void> {
  for (const name of await readdir(cluster.folder)) {
    const pid = name.startsWith(DRAFT_PREFIX) ? Number.parseInt(name.split('-')[2] ?? '', 10) : 0;
    if (pid > 0 && !isRunning(pid)) {
      await rm(path.join(cluster.folder, name), { recursive: true, force: true });
    }
  }
  const draft = path.join(cluster.folder, `${DRAFT_PREFIX}${process.pid}-${randomUUID()}`);
  await mkdir(draft, { mode: 0o700 });
  if (cluster.account) await chown(draft, cluster.account.uid, cluster.account.gid);
  await runInitdb(cluster, draft, isDurable, onBegun);
  await rename(draft, cluster.dataFolder).catch(async (error) => {
    await rm(draft, { recursive: true, force: true });
    if ((await readVersion(cluster.dataFolder)) === null) throw error;
  });
}

/** True if a process of any user has this id. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function runInitdb(
  cluster: Cluster,
  draft: string,
  isDurable: boolean,
  onBegun: () => void,
): Promise<void> {
  const isHidden = cluster.dataFolderArgument === WORKING_FOLDER;
  const child = await startChild(
    cluster.binaries.initdb,
    [
      `--pgdata=${isHidden ? WORKING_FOLDER : draft}`,
      `--username=${cluster.name}`,
      // Relative to the working folder, which is the draft.
      `--pwfile=../${PASSWORD_FILE}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // Text sorts the same on every machine, whatever languages it has installed.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(isDurable ? [] : ['--no-sync']),
    ],
    {
      ...{ ...identityOf(cluster), cwd: draft, env: {}, stdio: ['ignore', 'ignore', 'pipe'] },
      // A Ctrl-C in the terminal is for this process, which then ends in good order.
      detached: true,
    },
  ).catch((error: Error) => {
    throw new EmbeddedDatabaseError(error.message, error);
  });
  onBegun();
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    complaints += chunk;
  });
  const outcome = await new Promise<string | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code === 0 ? null : `${signal ?? code}`));
  });
  if (outcome === null) return;
  await rm(draft, { recursive: true, force: true });
  throw new EmbeddedDatabaseError(
    `PostgreSQL could not create its files in ${cluster.folder} (${outcome}):` +
      ` ${complaints.trim()}; choose another data folder`,
  );
}
