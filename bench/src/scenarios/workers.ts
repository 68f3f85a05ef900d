import { cpus } from 'node:os';
import { asking } from '../answers.ts';
import { payingContender } from '../payments.ts';
import type { MeasuredPlatform } from '../platform.ts';
import { ALL_CORES } from '../processes.ts';
import { isList } from '../read.ts';
import type { Scenario } from '../scenario.ts';

/** Workers share one simulator of the card network, in a process of its own. */
const ENV = { SERVERY_PROCESSOR: 'simulator' };

/** The same load on one process with one core, and on two with all. */
export const scenario: Scenario = {
  name: 'workers',
  about: 'two processes on one port, beside one',
  async run(bench) {
    if (cpus().length < 3) {
      bench.note('the load and the database share the second core: what two cores give is less');
    }
    await using one = await bench.startPlatform({ env: ENV });
    await using two = await bench.startPlatform({
      ...{ env: ENV, flags: ['--workers', '2'], cores: ALL_CORES },
    });
    const page = (platform: MeasuredPlatform, name: string) =>
      asking(name, platform, '/config/v2/tables', {
        headers: platform.headers,
        status: 200,
        check: isList(8, 60),
      });
    await bench.compare({
      name: 'read-small, a collection',
      product: page(two, 'two'),
      others: [page(one, 'one')],
      goal: null,
    });
    const paying = async (platform: MeasuredPlatform, name: string) => ({
      ...(await payingContender(platform, 'RSA-OAEP-SHA256')),
      name,
    });
    await bench.compare({
      name: 'authorize-rsa',
      product: await paying(two, 'two'),
      others: [await paying(one, 'one')],
      goal: null,
    });
  },
};
