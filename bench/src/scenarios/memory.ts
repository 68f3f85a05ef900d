import assert from 'node:assert/strict';
import { asking } from '../answers.ts';
import { pause } from '../pause.ts';
import { havePeers, startPrism } from '../peers.ts';
import type { MeasuredPlatform } from '../platform.ts';
import { descendantsOf, memoryOf, type StartedProcess } from '../processes.ts';
import type { Contender, Scenario } from '../scenario.ts';

const PAGE = '/config/v2/menuItems';
const MEBIBYTE = 2 ** 20;

/** Memory of the server's process and of all that it needs, at rest and after a load of pages. */
export const scenario: Scenario = {
  name: 'memory',
  about: 'resident memory, idle and under read-page, beside Prism mock',
  async run(bench) {
    const hasPeer = await havePeers(bench, 'beside Prism mock');
    await using platform = await bench.startPlatform();
    await using prism = hasPeer ? await startPrism() : null;
    const beside = (contender: (server: StartedProcess, name: string) => Contender) =>
      prism ? [contender(prism, 'Prism mock')] : [];
    const goal = prism ? { atMost: 1 } : null;
    const compare = (
      name: string,
      product: Contender,
      others: readonly Contender[],
      wanted = goal,
    ) => bench.compare({ name, unit: 'MiB', product, others, goal: wanted });
    await compare('idle', idle(platform, 'product'), beside(idle));
    await compare('idle, with its database', whole(platform), beside(idle), null);
    const loaded = (server: StartedProcess, name: string) => underLoad(server, name, platform);
    await compare('under read-page', loaded(platform, 'product'), beside(loaded));
  },
};

function idle(server: StartedProcess, name: string): Contender {
  return {
    name,
    async measure(seconds) {
      await pause(seconds * 1000);
      return { value: (await memoryOf(server.pid)).rss / MEBIBYTE };
    },
  };
}

/** The server and its PostgreSQL; memory that several of their processes share counts once. */
function whole({ pid, postmaster }: MeasuredPlatform): Contender {
  return {
    name: 'product',
    async measure(seconds) {
      await pause(seconds * 1000);
      const descendants = await Promise.all([pid, postmaster].map(descendantsOf));
      const all = new Set([pid, postmaster, ...descendants.flat()]);
      const sizes = await Promise.all([...all].map(memoryOf));
      return { value: sizes.reduce((sum, { pss }) => sum + pss, 0) / MEBIBYTE };
    },
  };
}

function underLoad(server: StartedProcess, name: string, { headers }: MeasuredPlatform): Contender {
  const load = asking(name, server, PAGE, {
    headers,
    status: 200,
    check: (body) => assert.ok(Array.isArray(JSON.parse(body.toString()))),
  });
  return {
    name,
    async measure(seconds) {
      await load.measure(seconds);
      return { value: (await memoryOf(server.pid)).rss / MEBIBYTE };
    },
  };
}
