import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBarePostgres } from '../bare-postgres.ts';
import { productEnvironment } from '../platform.ts';
import { ALL_CORES, LOAD_CORE, pin, startProcess } from '../processes.ts';
import type { Bench, Scenario } from '../scenario.ts';

/** From nothing to the first answer, and again on data that are there. */
export const scenario: Scenario = {
  name: 'start',
  about: 'from an empty data folder to the first 200, beside bare initdb and start; later starts',
  async run(bench) {
    // A start has the whole machine.
    await pin(process.pid, ALL_CORES);
    try {
      if (bench.effort.isSmoke) {
        await compareLater(bench);
        return;
      }
      await bench.compare({
        name: 'first',
        unit: 's',
        product: { name: 'product', measure: () => inNewFolder(secondsToFirstAnswer) },
        others: [
          {
            name: 'initdb and start',
            measure: async () => ({ value: await startBarePostgres() }),
          },
        ],
        goal: { atMost: 2 },
      });
      await compareLater(bench);
    } finally {
      await pin(process.pid, LOAD_CORE);
    }
  },
};

async function compareLater(bench: Bench): Promise<void> {
  await inNewFolder(async (folder) => {
    await secondsToFirstAnswer(folder);
    await bench.compare({
      name: 'later',
      unit: 's',
      product: { name: 'product', measure: () => secondsToFirstAnswer(folder) },
      others: [],
      goal: { atMost: 1 },
    });
  });
}

async function inNewFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'servery-start-'));
  await chmod(folder, 0o755);
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Starts the product, asks it whether it can serve, and stops it. */
async function secondsToFirstAnswer(folder: string): Promise<{ value: number }> {
  const startedMs = performance.now();
  await using started = await startProcess(
    ['packages/server/src/main.ts', '--port', '0', '--data-dir', join(folder, 'data')],
    {
      cores: ALL_CORES,
      logFile: join(folder, 'log'),
      // What Node has compiled is kept between starts; the first one of a clone finds nothing.
      env: productEnvironment({ NODE_COMPILE_CACHE: join(folder, 'compiled') }),
    },
  );
  const answer = await fetch(`${started.url}/readyz`);
  const value = (performance.now() - startedMs) / 1000;
  assert.equal(answer.status, 200);
  await answer.text();
  return { value };
}
