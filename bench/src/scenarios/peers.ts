import assert from 'node:assert/strict';
import { asking, record } from '../answers.ts';
import { havePeers, startJsonServer, startMockoon, startPrism } from '../peers.ts';
import type { StartedProcess } from '../processes.ts';
import type { Scenario } from '../scenario.ts';

/** One menu item, asked of the product and of programs that answer from the same contract. */
export const scenario: Scenario = {
  name: 'peers',
  about: 'one menu item, beside Prism mock, Mockoon and json-server',
  async run(bench) {
    if (!(await havePeers(bench, 'all of it'))) return;
    await using platform = await bench.startPlatform();
    const { headers } = platform;
    const page = await record(`${platform.url}/config/v2/menuItems`, { headers });
    const items = JSON.parse(page.body.toString()) as { guid: string }[];
    const ask = (name: string, server: StartedProcess) =>
      asking(name, server, `/config/v2/menuItems/${items[0]?.guid}`, {
        headers,
        status: 200,
        check: (body) => assert.equal(typeof JSON.parse(body.toString()).guid, 'string'),
      });
    const peers = {
      'Prism mock': startPrism,
      Mockoon: startMockoon,
      'json-server': () => startJsonServer(items.slice(0, 300)),
    };
    for (const [name, start] of Object.entries(peers)) {
      await using peer = await start();
      await bench.compare({
        name,
        product: ask('product', platform),
        others: [ask(name, peer)],
        goal: { atLeast: 20 },
      });
    }
  },
};
