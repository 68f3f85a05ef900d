import { globSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isRunning } from '../src/postgres-cluster.ts';

const PREFIX = 'servery-test-';
const PID_FILES = '**/postgres/data/postmaster.pid';

/** Makes a temporary folder of this process, having removed those that killed runs left behind. */
export async function makeTestFolder(): Promise<string> {
  removeAbandoned(tmpdir(), PREFIX);
  return await mkdtemp(path.join(tmpdir(), `${PREFIX}${process.pid}-`));
}

/** Removes the folders in `base` that are named by a prefix and a process that is no more. */
export function removeAbandoned(base: string, prefix: string): void {
  for (const name of readdirSync(base)) {
    const pid = new RegExp(`^${prefix}(\\d{1,9})(?:-|$)`).exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      removeTestFolder(path.join(base, name));
    } catch {
      // Another user's folder is that user's to remove.
    }
  }
}

/** Removes a folder, and first ends the PostgreSQL servers whose data are in it. */
export function removeTestFolder(folder: string): void {
  for (const file of globSync(PID_FILES, { cwd: folder })) {
    try {
      // Nothing in there is worth a clean end.
      process.kill(Number.parseInt(readFileSync(path.join(folder, file), 'utf8'), 10), 'SIGQUIT');
    } catch {
      // It has ended already.
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
