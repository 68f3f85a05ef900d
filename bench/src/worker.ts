import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StartedProcess, startProcess } from './processes.ts';
import type { Contender, Sample } from './scenario.ts';

/**
 * Starts a ceiling of `bench/src/ceilings` that measures by itself, on the product's core when no
 * other is given. What it is to do can be long, so that it is in a file.
 */
export async function startWorker(
  name: string,
  order: object = {},
  cores?: string,
): Promise<StartedProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'servery-ceiling-'));
  const file = join(folder, 'order.json');
  try {
    await writeFile(file, JSON.stringify(order));
    return await startProcess([`bench/src/ceilings/${name}.ts`, file], cores ? { cores } : {});
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The contender that such a process is. */
export function workerOf(name: string, worker: StartedProcess): Contender {
  return {
    name,
    process: worker,
    async measure(seconds) {
      const body = JSON.stringify({ seconds });
      const answer = await fetch(worker.url, { method: 'POST', body });
      if (answer.status !== 200) throw new Error(`${name}: ${await answer.text()}`);
      return (await answer.json()) as Sample;
    },
  };
}
