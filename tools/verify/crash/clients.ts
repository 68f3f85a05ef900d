import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientOrder } from './client-order.ts';
import type { Operation } from './history.ts';

/** Client processes that are at work. */
export interface Clients {
  /** Has them end what is under way; gives all that they asked and were answered. */
  stop(): Promise<Operation[]>;
}

const MAIN = fileURLToPath(new URL('client.ts', import.meta.url));

/** Starts client processes, each with guests of its own, against all the servers. */
export function startClients(
  count: number,
  folder: string,
  order: Omit<ClientOrder, 'client' | 'historyFile'>,
): Clients {
  const clients = Array.from({ length: count }, (_, index) => {
    const client = `client-${index + 1}`;
    const historyFile = join(folder, `${client}.history`);
    return { historyFile, child: spawnClient({ ...order, client, historyFile }) };
  });
  return {
    async stop() {
      await Promise.all(clients.map(({ child }) => endClient(child)));
      return clients.flatMap(({ historyFile }) => readHistory(historyFile));
    },
  };
}

function spawnClient(order: ClientOrder): ChildProcess {
  const child = spawn(process.execPath, [MAIN, JSON.stringify(order)], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

async function endClient(child: ChildProcess): Promise<void> {
  const gone = child.exitCode === null ? once(child, 'exit') : null;
  child.stdin?.end();
  await gone;
  if (child.exitCode !== 0) throw new Error(`a client process ended with ${child.exitCode}`);
}

function readHistory(file: string): Operation[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Operation);
}
