import { createReadStream } from 'node:fs';
import { link, lstat, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { newRandomId } from '@servery/support/ids.ts';
import { BackupRefused, damaged } from './format.ts';

type Write = (bytes: Uint8Array) => Promise<void>;

/**
 * Lets `produce` write a compressed file with mode 600. It appears when it is complete and on the
 * disk, or not at all; a kill leaves `<file>.<…>.part`, which may be deleted. Throws BackupRefused if
 * the file exists already.
 */
export async function writeBackupFile<Result>(
  file: string,
  produce: (write: Write) => Promise<Result>,
): Promise<Result> {
  // Checked before hours of work. The link below finds a file that was made meanwhile.
  if (await lstat(file).catch(() => null)) throw alreadyThere(file);
  const draft = `${file}.${newRandomId()}.part`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    const result = await compressed(handle.createWriteStream({ flush: true }), produce);
    // Unlike a rename, a link never replaces another file.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? alreadyThere(file, error) : error;
    });
    await rm(draft);
    await syncFolder(dirname(file));
    return result;
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
}

async function compressed<Result>(
  target: NodeJS.WritableStream,
  produce: (write: Write) => Promise<Result>,
): Promise<Result> {
  const gzip = createGzip();
  const written = pipeline(gzip, target);
  const failed = written.then(() => Promise.reject(new Error('the file ended too early')));
  failed.catch(() => {});
  const write: Write = async (bytes) => {
    if (gzip.write(bytes)) return;
    const { promise: drained, resolve } = Promise.withResolvers<void>();
    gzip.once('drain', resolve);
    await Promise.race([drained, failed]);
  };
  try {
    const result = await Promise.race([produce(write), failed]);
    gzip.end();
    await written;
    return result;
  } catch (error) {
    gzip.destroy();
    await written.catch(() => {});
    throw error;
  }
}

function alreadyThere(file: string, cause?: unknown): BackupRefused {
  return new BackupRefused(
    `${file} is there already, and a backup never takes the place of another file: name a new one.`,
    cause,
  );
}

/** Reads the bytes of a backup, decompressed. Throws BackupRefused for a damaged file. */
export async function* readBackupFile(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const plain = createGunzip();
  const piped = pipeline(source, plain);
  piped.catch(() => {});
  let isBegun = false;
  try {
    for await (const bytes of plain) {
      isBegun = true;
      yield bytes as Buffer;
    }
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error;
    throw isBegun || (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR'
      ? damaged(`it cannot be unpacked (${(error as Error).message})`, error)
      : new BackupRefused(`${file} is no backup, or its beginning is damaged.`, error);
  } finally {
    plain.destroy();
    source.destroy();
  }
}

/** After a crash of the machine, a file exists only if its folder was written too. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}
