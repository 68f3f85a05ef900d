import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBarePostgres } from '../bare-postgres.ts';
import { productEnvironment, startCommand } from '../platform.ts';
import { ALL_CORES, LOAD_CORE, pin, startProcess } from '../processes.ts';
import type { Bench, Contender, Scenario } from '../scenario.ts';

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
        product: {
          name: 'product',
          measure: () => inNewFolder((folder) => secondsToFirstAnswer(folder)),
        },
        others: [initdbAndStart],
        goal: { atMost: 2 },
      });
      await bench.compare({
        name: 'first, nothing compiled',
        unit: 's',
        product: { name: 'product', measure: () => inNewFolder(secondsOfUncompiled) },
        others: [initdbAndStart],
        goal: null,
      });
      await compareLater(bench);
    } finally {
      await pin(process.pid, LOAD_CORE);
    }
  },
};

const initdbAndStart: Contender = {
  name: 'initdb and start',
  measure: async () => ({ value: await startBarePostgres() }),
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

/** A start that finds nothing of what the installation has compiled. */
function secondsOfUncompiled(folder: string): Promise<{ value: number }> {
  return secondsToFirstAnswer(folder, { NODE_COMPILE_CACHE: join(folder, 'compiled') });
}

/** Starts the product, asks it whether it can serve, and stops it. */
async function secondsToFirstAnswer(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ value: number }> {
  const startedMs = performance.now();
  const start = await startCommand();
  await using started = await startProcess(
    [...start.args, '--port', '0', '--data-dir', join(folder, 'data')],
    {
      cores: ALL_CORES,
      logFile: join(folder, 'log'),
      env: productEnvironment({ ...start.env, ...env }),
    },
  );
  const answer = await fetch(`${started.url}/readyz`);
  const value = (performance.now() - startedMs) / 1000;
  assert.equal(answer.status, 200);
  await answer.text();
  return { value };
}
