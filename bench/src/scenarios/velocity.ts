import { addressOf, openDatabase } from '../database.ts';
import { COUNTED, payingContender } from '../payments.ts';
import type { MeasuredPlatform } from '../platform.ts';
import { cpuTimeMs, familyCpuTimeMs } from '../processes.ts';
import { costOf } from '../scaling.ts';
import type { Contender, Scenario } from '../scenario.ts';
import { countFlushes } from '../wal-store.ts';

interface Paying extends AsyncDisposable {
  readonly pays: Contender;
  readonly platform: MeasuredPlatform;
  flushes(): Promise<number>;
}

/** What velocity limits cost: the same payments with all of them on, and with none. */
export const scenario: Scenario = {
  name: 'velocity',
  about: 'processor time and flushes of a payment with all velocity limits on, beside one without',
  async run(bench) {
    await using without = await payingAt('no limits', await bench.startPlatform());
    await using counted = await payingAt('product', await bench.startPlatform({ env: COUNTED }));
    const compare = (name: string, unit: 'ms' | 'flushes', used: (of: Paying) => Promise<number>) =>
      bench.compare({
        ...{ name, unit, goal: { atMost: 1.2 } },
        product: costOf(counted.pays, () => used(counted)),
        others: [costOf(without.pays, () => used(without))],
      });
    await compare('Node', 'ms', ({ platform }) => cpuTimeMs(platform.pid));
    await compare('PostgreSQL', 'ms', ({ platform }) => familyCpuTimeMs(platform.postmaster));
    await compare('flushes to disk', 'flushes', ({ flushes }) => flushes());
  },
};

async function payingAt(name: string, platform: MeasuredPlatform): Promise<Paying> {
  const sql = openDatabase(await addressOf(platform), 1);
  return {
    platform,
    pays: { ...(await payingContender(platform, 'ECDH-ES')), name },
    flushes: () => countFlushes(sql),
    async [Symbol.asyncDispose]() {
      await sql.end();
      await platform[Symbol.asyncDispose]();
    },
  };
}
