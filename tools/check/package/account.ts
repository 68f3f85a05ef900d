import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** Who installs and starts: root, or a user who owns nothing but a home. */
export interface Account {
  readonly name: string;
  readonly identity: { readonly uid?: number; readonly gid?: number };
  /** His home, with the caches of package managers. */
  readonly home: string;
}

/** Where a command runs, and the Node.js that is first on its path. */
export interface Place {
  readonly account: Account;
  readonly folder: string;
  readonly nodeFolder: string;
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const REACH =
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|(npm_config_)?(https?_|no_?)proxy|npm_config_(registry|cafile|globalconfig))$/i;
/** What takes longer hangs. */
const LIMIT_MS = 120_000;
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

/** The user of this process and, if that is root, a normal one. */
export async function accountsIn(folder: string): Promise<[Account, ...Account[]]> {
  const isRoot = process.getuid?.() === 0;
  const home = (name: string) => path.join(folder, `home-of-${name}`);
  const normal = { name: 'a normal user', home: home('user') };
  const own: Account = isRoot
    ? { name: 'root', identity: {}, home: home('root') }
    : { ...normal, identity: {} };
  const others: Account[] = isRoot ? [{ ...normal, identity: UNPRIVILEGED }] : [];
  for (const account of [own, ...others]) await makeFolder(account, account.home);
  return [own, ...others];
}

/** A folder of that account. */
export async function makeFolder(account: Account, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await giveTo(account, folder);
}

export async function giveTo({ identity }: Account, file: string): Promise<void> {
  const { uid, gid } = identity;
  if (uid !== undefined && gid !== undefined) await chown(file, uid, gid);
}

/** The environment of a shell in which nobody has set more than how to reach the registry. */
export function environmentOf({ account, nodeFolder }: Place): NodeJS.ProcessEnv {
  const { home } = account;
  const PATH = [nodeFolder, '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter);
  const npm = { npm_config_cache: path.join(home, 'npm'), npm_config_update_notifier: 'false' };
  const reach = Object.entries(process.env).filter(([name]) => REACH.test(name));
  return {
    ...Object.fromEntries(reach),
    HOME: home,
    PATH,
    ...npm,
    npm_config_fund: 'false',
    npm_config_audit: 'false',
  };
}

export async function run(
  place: Place,
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(program, args, {
    ...place.account.identity,
    cwd: place.folder,
    env: { ...environmentOf(place), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
  });
  const closed = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await closed;
  return { code, out, err };
}

/** What it printed. Throws an Error with all it said if it fails. */
export async function succeed(
  place: Place,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, out, err } = await run(place, command, env);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${out}${err}`);
  return out;
}
