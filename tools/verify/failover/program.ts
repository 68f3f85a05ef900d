import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { PostgresAccount } from '@servery/postgres/postgres-account.ts';

/** A program that runs beside the servers until it is killed. */
export interface RunningProgram {
  readonly pid: number;
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
}

export interface ProgramStart {
  readonly file: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly logFile: string;
  /** Null for that of this process. */
  readonly account: PostgresAccount | null;
}

export function startProgram({
  file,
  args,
  folder,
  logFile,
  account,
}: ProgramStart): RunningProgram {
  const log = openSync(logFile, 'a');
  const child = spawn(file, [...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8' },
    stdio: ['ignore', log, log],
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  closeSync(log);
  const onExit = () => child.kill('SIGKILL');
  process.once('exit', onExit);
  return {
    pid: child.pid ?? 0,
    signal: (name) => void child.kill(name),
    async kill() {
      process.off('exit', onExit);
      await killChild(child);
    },
  };
}

async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
