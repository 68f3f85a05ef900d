import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { newRandomId } from './support/ids.ts';

/**
 * The 32 bytes of the master key: from the settings, or, in a sandbox, from `master.key` in the
 * data folder, which is made on the first start with mode 600.
 */
export async function loadMasterKey(config: Config): Promise<Buffer> {
  if (config.masterKey) return Buffer.from(config.masterKey.reveal(), 'base64');
  await makeDataDir(config.dataDir);
  const file = join(config.dataDir, 'master.key');
  return (await readKey(file)) ?? makeKey(file);
}

async function makeDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true }).catch((cause: NodeJS.ErrnoException) => {
    const reasons: Record<string, string> = {
      EEXIST: 'there is a file with this name',
      ENOTDIR: 'a part of the path is a file',
      EACCES: 'this user may not write there',
      EROFS: 'the file system is read-only',
    };
    const reason = reasons[cause.code ?? ''] ?? cause.message;
    throw new Error(
      `SERVERY_DATA_DIR ${dataDir} cannot be made: ${reason}. Name another folder with --data-dir.`,
      { cause },
    );
  });
}

async function readKey(file: string): Promise<Buffer | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === 32) return key;
  throw new Error(
    `${file} does not hold 32 bytes in base64. Put the right key back; without it, what the ` +
      'database holds sealed (signing keys, card keys, client secrets) cannot be used.',
  );
}

async function makeKey(file: string): Promise<Buffer> {
  // A hard link appears whole or not at all, so that two first starts agree on one key.
  const draft = `${file}.${newRandomId()}`;
  await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
  await chmod(draft, 0o600);
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  const key = await readKey(file);
  if (!key) throw new Error(`${file} vanished while it was made: start again.`);
  return key;
}
