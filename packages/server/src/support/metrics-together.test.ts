import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics, type Metrics } from './metrics.ts';
import { addUp, type NamedShare } from './metrics-together.ts';

/** The metrics of a worker that did some work and has some connections. */
function worker(connections: number, readers = { count: 0 }) {
  const metrics = createMetrics('1.2.3');
  const count = metrics.counter({ name: 'a_total', help: 'A.', label: 'kind', values: ['x', 'y'] });
  const pairs = metrics.pairCounter({
    ...{ name: 'b_total', help: 'B.', labels: ['one', 'other'] },
    values: [['x'], ['y']],
  });
  const took = metrics.times({
    ...{ name: 't_seconds', help: 'T.', label: 'kind', values: ['x'], bucketSeconds: [0.1, 1] },
  });
  metrics.gauge({
    ...{ name: 'connections', help: 'C.', label: 'state', values: ['idle'], isOfProcess: true },
    read: async () => [['idle', connections]] as const,
  });
  metrics.gauge({
    ...{ name: 'open', help: 'O.', label: 'kind', values: ['x'] },
    read: async () => {
      readers.count += 1;
      return [['x', 7]] as const;
    },
  });
  return { metrics, count, pairs, took };
}

/** What a worker tells, as it arrives at another. */
async function told(metrics: Metrics, name: string): Promise<NamedShare> {
  return JSON.parse(JSON.stringify({ worker: name, ...(await metrics.share()) }));
}

const ours = (text: string) =>
  text.split('\n').filter((line) => /^servery_(?!event_loop|build)/.test(line));

test('backOffice.metrics: what workers did is added up, each tells of itself', async () => {
  const readers = { count: 0 };
  const [one, two] = [worker(3, readers), worker(4, readers)];
  one.count('x');
  two.count('x');
  two.count('y');
  two.pairs('x', 'y');
  one.took('x', 50);
  two.took('x', 500);
  const shares = [await told(one.metrics, '1'), await told(two.metrics, '2')];
  assert.equal(readers.count, 0, 'what all workers share is read by the one that is asked');
  const text = await one.metrics.textOfAll(shares);
  assert.equal(readers.count, 1);
  assert.deepEqual(ours(text).sort(), [
    'servery_a_total{kind="x"} 2',
    'servery_a_total{kind="y"} 1',
    'servery_b_total{one="x",other="y"} 1',
    'servery_connections{state="idle",worker="1"} 3',
    'servery_connections{state="idle",worker="2"} 4',
    'servery_open{kind="x"} 7',
    'servery_t_seconds_bucket{le="+Inf",kind="x"} 2',
    'servery_t_seconds_bucket{le="0.1",kind="x"} 1',
    'servery_t_seconds_bucket{le="1",kind="x"} 2',
    'servery_t_seconds_count{kind="x"} 2',
    'servery_t_seconds_sum{kind="x"} 0.55',
  ]);
  assert.match(text, /^servery_build_info\{version="1\.2\.3",node="v[^"]+"\} 1$/m);
  for (const name of ['1', '2']) {
    const has = (line: string) => assert.match(text, new RegExp(`^${line}`, 'm'));
    has(`servery_event_loop_seconds_total\\{state="active",worker="${name}"\\} [0-9.]+$`);
    has(`process_resident_memory_bytes\\{worker="${name}"\\} [0-9]+$`);
    has(`process_start_time_seconds\\{worker="${name}"\\} [0-9]+$`);
  }
  const names = text.match(/^# TYPE \S+/gm) ?? [];
  assert.equal(new Set(names).size, names.length, 'each metric is told once');
  assert.doesNotMatch(text, /^$\n^$/m);
});

test('backOffice.metrics: what a worker did that has ended stays in the sum', async () => {
  const [one, two, three] = [worker(1), worker(1), worker(1)];
  for (const { count, took } of [one, two, three]) {
    count('x');
    took('x', 50);
  }
  const past = await addUp([(await one.metrics.share()).sums, (await two.metrics.share()).sums]);
  const ended = { worker: 'ended', sums: JSON.parse(JSON.stringify(past)), own: [] };
  const text = await three.metrics.textOfAll([ended, await told(three.metrics, '3')]);
  assert.match(text, /^servery_a_total\{kind="x"\} 3$/m);
  assert.match(text, /^servery_t_seconds_count\{kind="x"\} 3$/m);
  assert.doesNotMatch(text, /worker="ended"/);
});

test('backOffice.metrics: one process alone tells no worker', async () => {
  const { metrics, count } = worker(3);
  count('x');
  const text = await metrics.text();
  assert.match(text, /^servery_a_total\{kind="x"\} 1$/m);
  assert.match(text, /^servery_connections\{state="idle"\} 3$/m);
  assert.match(text, /^servery_open\{kind="x"\} 7$/m);
  assert.doesNotMatch(text, /worker=/);
});
