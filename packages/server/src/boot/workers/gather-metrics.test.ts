import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '../../support/metrics.ts';
import { type AskedWorker, gatherMetrics } from './gather-metrics.ts';

/** A worker that counts, and tells what it did when it is asked. */
function worker(name: string) {
  const metrics = createMetrics();
  const count = metrics.counter({ name: 'a_total', help: 'A.', label: 'kind', values: ['x'] });
  // What arrives from another process is a copy.
  const share = async () => JSON.parse(JSON.stringify(await metrics.share()));
  const asked: AskedWorker = { name, share };
  return { asked, work: () => count('x') };
}

async function sumOf(shares: Parameters<ReturnType<typeof createMetrics>['textOfAll']>[0]) {
  const text = await createMetrics().textOfAll(shares);
  return { sum: Number(/^servery_a_total\{kind="x"\} (\d+)$/m.exec(text)?.[1]), text };
}

test('backOffice.metrics: the sum of all workers never falls when one of them ends', async () => {
  const [one, two, three] = [worker('1'), worker('2'), worker('1')];
  const alive = [one.asked, two.asked];
  const gatherer = gatherMetrics(
    () => [...alive],
    () => createMetrics().share(),
  );
  one.work();
  two.work();
  assert.equal((await sumOf(await gatherer.gather())).sum, 2);
  alive.shift();
  gatherer.ended(one.asked);
  assert.equal((await sumOf(await gatherer.gather())).sum, 2);
  alive.push(three.asked);
  three.work();
  const { sum, text } = await sumOf(await gatherer.gather());
  assert.equal(sum, 3);
  const workers = [...text.matchAll(/^process_start_time_seconds\{worker="(\w+)"\}/gm)];
  assert.deepEqual(workers.map(([, name]) => name).sort(), ['1', '2', 'starter']);
});

test('backOffice.metrics: a worker that ends while it is asked is counted once', async () => {
  const one = worker('1');
  one.work();
  const { promise: mayTell, resolve: tell } = Promise.withResolvers<void>();
  let isSlow = false;
  const slow: AskedWorker = {
    name: '1',
    share: async () => {
      if (isSlow) await mayTell;
      return await one.asked.share();
    },
  };
  let alive = [slow];
  const gatherer = gatherMetrics(
    () => alive,
    () => createMetrics().share(),
  );
  await gatherer.gather();
  isSlow = true;
  const gathering = gatherer.gather();
  alive = [];
  gatherer.ended(slow);
  tell();
  assert.equal((await sumOf(await gathering)).sum, 1);
  assert.equal((await sumOf(await gatherer.gather())).sum, 1);
});

test('backOffice.metrics: a worker that cannot tell is told of as it was last', async () => {
  const one = worker('1');
  one.work();
  let isBusy = false;
  const asked = { name: '1', share: async () => (isBusy ? null : await one.asked.share()) };
  const gatherer = gatherMetrics(
    () => [asked],
    () => createMetrics().share(),
  );
  await gatherer.gather();
  one.work();
  isBusy = true;
  assert.equal((await sumOf(await gatherer.gather())).sum, 1);
  isBusy = false;
  assert.equal((await sumOf(await gatherer.gather())).sum, 2);
});
