import { asking } from '../answers.ts';
import { type Fleet, startFleet } from '../fleet.ts';
import { countConnections } from '../fleet-store.ts';
import type { MeasuredPlatform } from '../platform.ts';
import { cpuTimeMs, familyCpuTimeMs } from '../processes.ts';
import { isList } from '../read.ts';
import { costOf, together } from '../scaling.ts';
import type { Contender, Scenario } from '../scenario.ts';

const PATH = '/config/v2/tables';
const [FEWEST, ...MORE] = [2, 4] as const;
/** All servers together are asked by as many as one alone. */
const CONNECTIONS = 64;

/** What servers on one database cost while they are asked, and one more while it rests. */
export const scenario: Scenario = {
  name: 'fleet',
  about: 'processor time of a read where 2 and 4 servers share a database, beside one alone',
  async run(bench) {
    await using platform = await bench.startPlatform({ env: {} });
    const alone = { servers: [platform] };
    for (const size of bench.effort.isSmoke ? [FEWEST] : [FEWEST, ...MORE]) {
      const before = await countConnections(platform);
      await using fleet = await startFleet(platform, size);
      const name = `${size} servers`;
      const reads = readingOf(name, fleet, platform);
      await bench.compare({
        name: `Node, ${name}`,
        unit: 'ms',
        product: costOf(reads, () => usedByAll(fleet)),
        others: [costOf(readingOf('one', alone, platform), () => usedByAll(alone))],
        goal: { atMost: 1.1 },
      });
      await bench.compare({
        name: `PostgreSQL, ${name}`,
        unit: 'ms',
        product: costOf(reads, () => familyCpuTimeMs(platform.postmaster)),
        others: [],
        goal: { atMost: 0.005 },
      });
      const connections = (await countConnections(platform)) - before;
      bench.note(`${name} have ${connections} more connections to the database than one`);
    }
  },
};

async function usedByAll({ servers }: Pick<Fleet, 'servers'>): Promise<number> {
  const times = await Promise.all(servers.map(({ pid }) => cpuTimeMs(pid)));
  return times.reduce((sum, time) => sum + time, 0);
}

/** Asks all servers at once. */
function readingOf(
  name: string,
  { servers }: Pick<Fleet, 'servers'>,
  { headers }: MeasuredPlatform,
): Contender {
  const request = { headers, status: 200, check: isList(8, 60) };
  const parts = servers.map((server) =>
    asking(name, server, PATH, request, CONNECTIONS / servers.length),
  );
  return together(name, parts);
}
