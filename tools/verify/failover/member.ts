import { mkdirSync, writeFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresAccount } from '@servery/postgres/postgres-account.ts';
import { isRunning } from '@servery/postgres/postgres-cluster.ts';
import { sleep } from '@servery/support/timer.ts';
import { listPostgres, signalOne } from '../crash/postgres-processes.ts';
import { type RunningProgram, startProgram } from './program.ts';
import type { Programs } from './programs.ts';

/** One machine of the cluster: PostgreSQL, with the Patroni that runs it. */
export interface Member {
  readonly name: string;
  /** Of PostgreSQL. */
  readonly port: number;
  /** Of Patroni. */
  readonly restPort: number;
  start(): void;
  /** `kill -9` of everything. */
  kill(): Promise<void>;
  /** Everything stops, as if the machine hung: connections stay, and nothing answers. */
  hang(): void;
  wake(): void;
}

export interface MemberSettings {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  readonly restPort: number;
  readonly programs: Programs;
  readonly account: PostgresAccount | null;
  /** For Patroni. */
  readonly configuration: Readonly<Record<string, unknown>>;
}

const POLL_MS = 20;

export async function makeMember(settings: MemberSettings): Promise<Member> {
  const { name, folder, port, restPort, programs, account } = settings;
  mkdirSync(folder, { mode: 0o755 });
  if (account) await chown(folder, account.uid, account.gid);
  const file = join(folder, 'patroni.json');
  writeFileSync(file, JSON.stringify(settings.configuration, null, 1));
  const data = dataFolderOf(folder);
  let patroni: RunningProgram | null = null;
  const signalAll = (signal: NodeJS.Signals) => {
    patroni?.signal(signal);
    for (const pid of listPostgres(data)) signalOne(pid, signal);
  };
  process.once('exit', () => signalAll('SIGKILL'));
  return {
    name,
    port,
    restPort,
    start() {
      const logFile = join(folder, 'patroni.log');
      patroni = startProgram({ file: programs.patroni, args: [file], folder, logFile, account });
    },
    async kill() {
      const pids = listPostgres(data);
      await patroni?.kill();
      patroni = null;
      for (const pid of pids) signalOne(pid, 'SIGKILL');
      while (pids.some(isRunning)) await sleep(POLL_MS);
    },
    hang: () => signalAll('SIGSTOP'),
    wake: () => signalAll('SIGCONT'),
  };
}

export function dataFolderOf(folder: string): string {
  return join(folder, 'data');
}
