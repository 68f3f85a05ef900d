import { randomBytes } from 'node:crypto';
import { chmod, link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDataDir } from '@servery/support/data-dir.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { createVault, type Vault } from '@servery/support/secret.ts';
import type { Database } from '../database/database.ts';
import { findEnvironmentGuid } from '../database/environment.ts';
import { findHasSealed } from '../tokens/sealed-store.ts';
import { listSigningKeys } from '../tokens/signing-key-store.ts';
import { SigningKeys } from '../tokens/signing-keys.ts';
import type { Config } from './config.ts';

type KeyConfig = Pick<Config, 'masterKey' | 'dataDir'>;

/**
 * A sandbox makes `master.key` (mode 600) for a database that holds nothing sealed. Throws an Error
 * that says what to do, and writes nothing, if the key is missing or wrong.
 */
export async function openVault(config: KeyConfig, database: Database): Promise<Vault> {
  const { key, place } = await loadMasterKey(config, database);
  const vault = createVault(key, await findEnvironmentGuid(database.sql));
  const youngest = (await listSigningKeys(database.sql)).at(-1);
  try {
    if (youngest) await new SigningKeys({ database, vault }).privateKey(youngest.kid);
  } catch (cause) {
    throw new Error(
      `${place} is not the master key that sealed what this database holds. ${WAYS_ON}`,
      { cause },
    );
  }
  return vault;
}

const WAYS_ON =
  'Without that key its signing keys, card keys, and client secrets cannot be used: no client ' +
  'can log in and no card data can be decrypted. Nothing was changed. Put the key back ' +
  '(master.key in the data folder, from a backup, or SERVERY_MASTER_KEY); if another server ' +
  'runs on this database, give this one its key. If the key is lost for good, start over with ' +
  'a new --data-dir and an empty database. servery export can still read the configuration of ' +
  'this one.';

interface FoundKey {
  readonly key: Buffer;
  readonly place: string;
}

export function masterKeyFile(dataDir: string): string {
  return join(dataDir, 'master.key');
}

/** Null if there is no key; makes none. */
export async function findMasterKey({ masterKey, dataDir }: KeyConfig): Promise<FoundKey | null> {
  if (masterKey) {
    return { key: Buffer.from(masterKey.reveal(), 'base64'), place: 'SERVERY_MASTER_KEY' };
  }
  const place = masterKeyFile(dataDir);
  const key = await readKey(place);
  return key && { key, place };
}

async function loadMasterKey(config: KeyConfig, { sql }: Database): Promise<FoundKey> {
  const known = await findMasterKey(config);
  if (known) return known;
  const { dataDir } = config;
  const place = masterKeyFile(dataDir);
  if (!(await findHasSealed(sql))) {
    await makeDataDir(dataDir);
    return { key: await makeKey(place), place };
  }
  // Another first start makes the key before it seals anything.
  const made = await readKey(place);
  if (made) return { key: made, place };
  throw new Error(
    `${place} is missing, and this database needs the master key that was in it. ${WAYS_ON}`,
  );
}

async function readKey(file: string): Promise<Buffer | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    if (error.code !== 'ENOTDIR') throw error;
    const why = 'a part of its path is a file. Name another folder with --data-dir.';
    throw new Error(`${file} cannot be read: ${why}`, { cause: error });
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
  // A hard link appears completely or not at all, so two first starts agree on one key.
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
