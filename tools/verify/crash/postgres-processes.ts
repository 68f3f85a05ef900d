import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The server that runs on a data folder, and the processes that it has started. Needs Linux. */
export function listPostgres(dataFolder: string): number[] {
  const file = join(dataFolder, 'postmaster.pid');
  if (!existsSync(file)) return [];
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const children = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(children)) return [];
  return [pid, ...readFileSync(children, 'utf8').trim().split(' ').filter(Boolean).map(Number)];
}

export function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
