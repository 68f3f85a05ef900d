import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'there is a file or a broken link with this name',
  ENOTDIR: 'a part of the path is a file',
  EACCES: 'this user may not write there',
  EPERM: 'the system does not allow it there',
  ENOENT: 'the system lets nobody make a folder there',
  EROFS: 'the file system is read-only',
};

/**
 * Makes the data folder, or one below it, where there is none; `mode` is what a new one may be used
 * by. Throws an Error that says why it cannot be made.
 */
export async function makeDataDir(dataDir: string, mode = 0o777): Promise<void> {
  await makeFolder(path.resolve(dataDir), mode).catch((cause: NodeJS.ErrnoException) => {
    const reason = REASONS[cause.code ?? ''] ?? cause.message;
    throw new Error(
      `SERVERY_DATA_DIR ${dataDir} cannot be made: ${reason}. Name another folder with --data-dir.`,
      { cause },
    );
  });
}

/**
 * Level by level: `mkdir` of Node.js with `recursive` tries forever where the folder above is
 * there and nothing can be made in it, as in `/proc`.
 */
async function makeFolder(folder: string, mode: number): Promise<void> {
  const above = path.dirname(folder);
  try {
    await mkdir(folder, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (await isFolder(folder)) return;
    if (code !== 'ENOENT') throw error;
    // Another process may have made it since: then this folder can be made now.
    if (!(await isFolder(above))) await makeFolder(above, 0o777);
    await mkdir(folder, mode).catch(async (later) => {
      // Another process may have been faster.
      if (!(await isFolder(folder))) throw later;
    });
  }
}

async function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
