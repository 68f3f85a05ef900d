import assert from 'node:assert/strict';
import { compareRead, isList } from '../read.ts';
import type { Scenario } from '../scenario.ts';

const GOALS = { goal: { atLeast: 0.85 }, p99Goal: { atMost: 1.3 } };

/** One configuration object, and a collection of about twenty. */
export const scenario: Scenario = {
  name: 'read-small',
  about: 'one configuration object, and a small collection, beside bare node:http',
  async run(bench) {
    await using platform = await bench.startPlatform();
    const page = await fetch(`${platform.url}/config/v2/menuItems`, { headers: platform.headers });
    const [first] = (await page.json()) as { guid: string }[];
    await compareRead(bench, platform, {
      ...GOALS,
      name: 'one object',
      path: `/config/v2/menuItems/${first?.guid}`,
      check: (body) => assert.equal(JSON.parse(body.toString()).guid, first?.guid),
    });
    await compareRead(bench, platform, {
      ...GOALS,
      name: 'a collection',
      path: '/config/v2/tables',
      check: isList(8, 60),
    });
  },
};
