import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programFile } from '../../support/test/program.ts';

const MAIN = programFile('packages/card-simulator/src/main.ts');

export interface ProcessSimulator {
  readonly url: string;
  /** With kill -9. */
  kill(): Promise<void>;
}

/** A simulator in a process of its own. */
export async function runInProcess(ledgerFile: string): Promise<ProcessSimulator> {
  const child = spawn(process.execPath, [MAIN, '127.0.0.1', ledgerFile], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const url = line.replace('processor ready ', '');
  const gone = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  return { url, kill };
}
