import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { runEvery } from './runner.ts';

const INTERVAL_MS = 250;

const neverFails = (error: unknown) => assert.fail(String(error));

/** What follows on a promise has run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await null;
}

/** Jobs that end when a test says so. */
function slowJob() {
  const begun: PromiseWithResolvers<void>[] = [];
  const job = () => {
    const run = Promise.withResolvers<void>();
    begun.push(run);
    return run.promise;
  };
  return { begun, job };
}

test('runner: a job that takes long is not begun again, but others are when allowed', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  const [single, several] = [slowJob(), slowJob()];
  const runners = [
    runEvery(INTERVAL_MS, single.job, neverFails),
    runEvery(INTERVAL_MS, several.job, neverFails, 3),
  ];
  mock.timers.tick(5 * INTERVAL_MS);
  assert.deepEqual([single.begun.length, several.begun.length], [1, 3]);
  several.begun[1]?.resolve();
  await settled();
  mock.timers.tick(INTERVAL_MS);
  assert.equal(several.begun.length, 4, 'a free place is taken');
  const stopped = Promise.all(runners.map((runner) => runner.stop()));
  mock.timers.tick(10 * INTERVAL_MS);
  for (const { resolve } of [...single.begun, ...several.begun]) resolve();
  await stopped;
  assert.deepEqual([single.begun.length, several.begun.length], [1, 4]);
  mock.timers.reset();
});

test('runner: a job that fails is told of, and comes again', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  const errors: unknown[] = [];
  const job = async () => {
    throw new Error('no');
  };
  const runner = runEvery(INTERVAL_MS, job, (error) => errors.push(error));
  for (let tick = 0; tick < 2; tick += 1) {
    mock.timers.tick(INTERVAL_MS);
    await settled();
  }
  assert.equal(errors.length, 2);
  await runner.stop();
  mock.timers.reset();
});
