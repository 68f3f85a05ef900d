import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedDatabaseError } from './postgres-error.ts';

export interface PostgresAccount {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

const PREFERRED_NAMES = ['postgres', '_postgres', 'nobody'];

/**
 * Chooses the account for a cluster in `clusterFolder`: null, which means that of this process,
 * unless this is root, which PostgreSQL refuses. Then it is the owner of the existing files, so that
 * every start picks the same, or else the first of postgres and nobody that exists.
 */
export async function chooseAccount(clusterFolder: string): Promise<PostgresAccount | null> {
  if (process.getuid?.() !== 0) return null;
  const accounts = parsePasswd(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  const existing = await stat(clusterFolder).catch(() => null);
  if (existing && existing.uid !== 0) {
    const name = accounts.find((account) => account.uid === existing.uid)?.name;
    return { uid: existing.uid, gid: existing.gid, name: name ?? `user ${existing.uid}` };
  }
  for (const name of PREFERRED_NAMES) {
    const account = accounts.find((candidate) => candidate.name === name);
    if (account && account.uid !== 0) return account;
  }
  throw new EmbeddedDatabaseError(
    'PostgreSQL does not run as root, and this system has neither a user "postgres" nor "nobody"' +
      ' to run it as; start this program as a normal user',
  );
}

/** True when the account may pass through `folder` and every folder above it. */
export async function canEnter(account: PostgresAccount, folder: string): Promise<boolean> {
  for (let current = folder; ; current = path.dirname(current)) {
    const { mode, uid, gid } = await stat(current);
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
    if (((mode >> shift) & 1) === 0) return false;
    if (path.dirname(current) === current) return true;
  }
}

function parsePasswd(text: string): PostgresAccount[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || name.startsWith('#') || !uid || !gid) return [];
    // Some systems write the user "nobody" as -2; the system calls take it unsigned.
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }];
  });
}
