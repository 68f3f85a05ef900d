import { type Fleet, startFleet } from '../fleet.ts';
import { pause } from '../pause.ts';
import type { MeasuredPlatform } from '../platform.ts';
import { familyCpuTimeMs } from '../processes.ts';
import type { Scenario } from '../scenario.ts';
import { median, spreadOf } from '../statistics.ts';

/** Servers that are started beside the first. */
const BESIDE = 4;

/** What one more server costs PostgreSQL while nobody asks it anything. */
export const scenario: Scenario = {
  name: 'idle-fleet',
  about: 'processor time of PostgreSQL for each server that serves nothing',
  async run(bench) {
    await using platform = await bench.startPlatform({ env: {} });
    const { rounds, secondsPerRound, isSmoke } = bench.effort;
    const beside = isSmoke ? 1 : BESIDE;
    const rest = async () => {
      const shares: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        shares.push(await restOf(platform, secondsPerRound));
      }
      return shares;
    };
    const alone = median(await rest());
    await using _ = (await startFleet(platform, 1 + beside)) satisfies Fleet;
    const each = (await rest()).map((share) => (share - alone) / beside);
    bench.report({
      ...{ name: 'one more, in each second', unit: 'ms', others: [], ratio: null },
      product: { name: `one of ${beside}`, ...spreadOf(each) },
      goal: { atMost: 2 },
    });
  },
};

/** Milliseconds of processor time of PostgreSQL in each second. */
async function restOf({ postmaster }: MeasuredPlatform, seconds: number): Promise<number> {
  const [before, startedMs] = [await familyCpuTimeMs(postmaster), performance.now()];
  await pause(seconds * 1000);
  const usedMs = (await familyCpuTimeMs(postmaster)) - before;
  return (usedMs * 1000) / (performance.now() - startedMs);
}
