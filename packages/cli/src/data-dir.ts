import { statSync } from 'node:fs';
import path from 'node:path';
import { settings } from '@servery/server';

const FOLDER = settings.dataDir.fallback;

/**
 * The data folder when nobody names one: the `.servery` of this folder or, as for a repository, of
 * the nearest folder above that has one of this user's; where there is none, the one of this folder
 * that is yet to be made. That of somebody else could name a platform of his to send secrets to.
 */
export function nearestDataDir(from = process.cwd()): string {
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    const found = path.join(folder, FOLDER);
    if (isOwnFolder(found)) return found;
    if (path.dirname(folder) === folder) return path.resolve(from, FOLDER);
  }
}

/** The flag that says so to the server; none when a variable names the data folder. */
export function dataDirFlags(env: Readonly<Record<string, string | undefined>>): string[] {
  return env[settings.dataDir.env] ? [] : ['--data-dir', nearestDataDir()];
}

function isOwnFolder(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  const user = process.getuid?.();
  return user === undefined || found.uid === user;
}
