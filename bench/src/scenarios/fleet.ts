import { asking } from '../answers.ts';
import { type FleetServer, startFleet } from '../fleet.ts';
import type { MeasuredPlatform } from '../platform.ts';
import { cpuTimeMs, familyCpuTimeMs } from '../processes.ts';
import { isList } from '../read.ts';
import { costOf, together } from '../scaling.ts';
import type { Bench, Contender, Scenario } from '../scenario.ts';

const PATH = '/config/v2/tables';
const [FEWEST, ...MORE] = [2, 4] as const;
/** All servers together are asked by as many as one alone. */
const CONNECTIONS = 64;
const GOAL = { atMost: 1.1 };

/**
 * What servers on one database cost while they are asked. They share a core, too; so they are also
 * compared with as many on the same core that have databases of their own.
 */
export const scenario: Scenario = {
  name: 'fleet',
  about: 'processor time of a read where 2 and 4 servers share a database, beside one alone',
  async run(bench) {
    await using platform = await bench.startPlatform({ env: {} });
    for (const size of bench.effort.isSmoke ? [FEWEST] : [FEWEST, ...MORE]) {
      await using fleet = await startFleet(platform, size);
      const name = `${size} servers`;
      const reads = readingOf(name, fleet.servers);
      const costOfNode = costOf(reads, () => usedByAll(fleet.servers));
      await bench.compare({
        name: `Node, ${name}`,
        unit: 'µs',
        product: costOfNode,
        others: [costOf(readingOf('one', [platform]), () => usedByAll([platform]))],
        goal: GOAL,
      });
      await bench.compare({
        name: `PostgreSQL, ${name}`,
        unit: 'µs',
        product: costOf(reads, () => inMicroseconds(familyCpuTimeMs(platform.postmaster))),
        others: [],
        goal: { atMost: 5 },
      });
      await compareWithSeparate(bench, name, [platform, size], costOfNode);
    }
  },
};

/** Compares with as many servers that share only the core. */
async function compareWithSeparate(
  bench: Bench,
  name: string,
  [first, size]: readonly [MeasuredPlatform, number],
  product: Contender,
): Promise<void> {
  await using beside = new AsyncDisposableStack();
  const separate: FleetServer[] = [first];
  while (separate.length < size) {
    separate.push(beside.use(await bench.startPlatform({ env: {} })));
  }
  const reads = readingOf('separate databases', separate);
  await bench.compare({
    name: `Node, ${name}, beside separate databases`,
    unit: 'µs',
    product,
    others: [costOf(reads, () => usedByAll(separate))],
    goal: GOAL,
  });
}

async function usedByAll(servers: readonly FleetServer[]): Promise<number> {
  const times = await Promise.all(servers.map(({ pid }) => inMicroseconds(cpuTimeMs(pid))));
  return times.reduce((sum, time) => sum + time, 0);
}

async function inMicroseconds(ms: Promise<number>): Promise<number> {
  return 1000 * (await ms);
}

/** Asks all servers at once. */
function readingOf(name: string, servers: readonly FleetServer[]): Contender {
  const parts = servers.map((server) => {
    const request = { headers: server.headers, status: 200, check: isList(8, 60) };
    return asking(name, server, PATH, request, CONNECTIONS / servers.length);
  });
  return together(name, parts);
}
