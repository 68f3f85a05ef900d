import { asking, record, startHttpCeiling } from '../answers.ts';
import { decryptOrder, payingContender } from '../payments.ts';
import type { MeasuredPlatform } from '../platform.ts';
import { ALL_CORES, descendantsOf, LOAD_CORE, pin, type StartedProcess } from '../processes.ts';
import { isList } from '../read.ts';
import { costOf, scalingOf, together } from '../scaling.ts';
import type { Bench, Contender, Scenario } from '../scenario.ts';
import { startWorker, workerOf } from '../worker.ts';

/** Workers share one simulator of the card network, in a process of its own. */
const ENV = { SERVERY_PROCESSOR: 'simulator' };
const PATH = '/config/v2/tables';
const ALGORITHM = 'RSA-OAEP-SHA256';

/** One process on one core, and two on all; on two cores the load and the database have a part. */
interface Pair {
  readonly one: MeasuredPlatform;
  readonly two: MeasuredPlatform;
}

/**
 * What a second process brings, beside what it brings to programs that share nothing under the same
 * load on the same cores: where the load needs much of the second core, neither can double.
 */
export const scenario: Scenario = {
  name: 'workers',
  about: 'what two processes on one port answer for each answer of one, beside a bare cluster',
  async run(bench) {
    await using one = await bench.startPlatform(bench.effort.isSmoke ? undefined : { env: ENV });
    // The simulator and the database are beside the load, so that the process has its core alone.
    for (const child of await descendantsOf(one.pid)) await pin(child, LOAD_CORE);
    await using two = await bench.startPlatform({
      ...{ env: ENV, flags: ['--workers', '2'], cores: ALL_CORES },
    });
    await compareReads(bench, { one, two });
    await comparePayments(bench, { one, two });
  },
};

async function compareReads(bench: Bench, { one, two }: Pair): Promise<void> {
  const { headers } = one;
  const page = await record(one.url + PATH, { headers });
  await using bare = await startHttpCeiling({ GET: page }, headers);
  await using bareTwo = await startHttpCeiling({ GET: page }, headers, 2);
  const reads = (name: string, server: StartedProcess, sent = headers): Contender =>
    asking(name, server, PATH, { headers: sent, status: 200, check: isList(8, 60) });
  await bench.compare({
    name: 'reads, from one to two',
    unit: '×',
    product: scalingOf('product', reads('one', one), reads('two', two, two.headers)),
    others: [scalingOf('node:cluster', reads('one', bare), reads('two', bareTwo))],
    goal: null,
  });
  await bench.compare({
    name: 'processor time of a read',
    unit: 'µs',
    product: costOf(reads('two', two, two.headers)),
    others: [costOf(reads('one', one))],
    goal: null,
  });
}

/** Payments cost the server much and the load little. */
async function comparePayments(bench: Bench, { one, two }: Pair): Promise<void> {
  const order = await decryptOrder(ALGORITHM);
  await using first = await startWorker('decrypts', order);
  await using second = await startWorker('decrypts', order, LOAD_CORE);
  const [alone, beside] = [workerOf('first', first), workerOf('second', second)];
  await bench.compare({
    name: 'authorize-rsa, from one to two',
    unit: '×',
    product: scalingOf(
      'product',
      await payingContender(one, ALGORITHM),
      await payingContender(two, ALGORITHM),
    ),
    others: [scalingOf('decryptions', alone, together('both', [alone, beside]))],
    goal: null,
  });
}
