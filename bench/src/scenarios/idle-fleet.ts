import { type Fleet, startFleet } from '../fleet.ts';
import { countConnections } from '../fleet-store.ts';
import { pause } from '../pause.ts';
import type { MeasuredPlatform } from '../platform.ts';
import { familyRunTimeMs } from '../processes.ts';
import type { Scenario } from '../scenario.ts';
import { median, spreadOf } from '../statistics.ts';

/** Servers that are started beside the first. */
const BESIDE = 4;
/** By then, a server has closed what only its start needed. */
const CLOSED_AFTER_SECONDS = 120;
/** Looks come twice a second, so a single second may have one more or one less. */
const SECONDS_EACH = 5;

/** What one more server costs PostgreSQL while nobody asks it anything. */
export const scenario: Scenario = {
  name: 'idle-fleet',
  about: 'processor time and connections of PostgreSQL for each idle server',
  async run(bench) {
    await using platform = await bench.startPlatform({ env: {} });
    const { rounds, secondsPerRound, isSmoke } = bench.effort;
    const beside = isSmoke ? 1 : BESIDE;
    const rest = async () => {
      const shares: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        shares.push(await restOf(platform, isSmoke ? secondsPerRound : SECONDS_EACH));
      }
      return shares;
    };
    const settle = () => pause(isSmoke ? 0 : CLOSED_AFTER_SECONDS * 1000);
    await settle();
    const [alone, connectionsAlone] = [median(await rest()), await countConnections(platform)];
    await using _ = (await startFleet(platform, 1 + beside)) satisfies Fleet;
    await settle();
    const each = (await rest()).map((share) => (share - alone) / beside);
    bench.report({
      ...{ name: 'one more, in each second', unit: 'ms', others: [], ratio: null },
      product: { name: `one of ${beside}`, ...spreadOf(each) },
      goal: { atMost: 2 },
    });
    const connections = ((await countConnections(platform)) - connectionsAlone) / beside;
    bench.report({
      ...{ name: 'one more', unit: 'connections', others: [], ratio: null },
      product: { name: `one of ${beside}`, ...spreadOf([connections]) },
      goal: { atMost: 2 },
    });
  },
};

/** Milliseconds of processor time of PostgreSQL in each second. */
async function restOf({ postmaster }: MeasuredPlatform, seconds: number): Promise<number> {
  const [before, startedMs] = [await familyRunTimeMs(postmaster), performance.now()];
  await pause(seconds * 1000);
  const usedMs = (await familyRunTimeMs(postmaster)) - before;
  return (usedMs * 1000) / (performance.now() - startedMs);
}
