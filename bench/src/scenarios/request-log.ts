import assert from 'node:assert/strict';
import { asking, record } from '../answers.ts';
import type { MeasuredPlatform } from '../platform.ts';
import { isList } from '../read.ts';
import type { Bench, Scenario } from '../scenario.ts';

const WITHOUT = { env: { SERVERY_REQUEST_LOG_DAYS: '0' } };

/** What the log of requests costs: the same reads of a platform with it and of one without. */
export const scenario: Scenario = {
  name: 'request-log',
  about: 'reads with the log of requests, beside the same without it',
  async run(bench) {
    await using without = await bench.startPlatform(bench.effort.isSmoke ? undefined : WITHOUT);
    await using keeping = await bench.startPlatform();
    const items = await record(`${keeping.url}/config/v2/menuItems`, { headers: keeping.headers });
    const [first] = JSON.parse(items.body.toString()) as { guid: string }[];
    assert.ok(first);
    const isFirst = (body: Buffer) => assert.equal(JSON.parse(body.toString()).guid, first.guid);
    const compare = compareBoth(bench, keeping, without);
    await compare('one object', `/config/v2/menuItems/${first.guid}`, isFirst);
    await compare('a collection', '/config/v2/tables', isList(8, 60));
  },
};

function compareBoth(bench: Bench, keeping: MeasuredPlatform, without: MeasuredPlatform) {
  return async (name: string, path: string, check: (body: Buffer) => void) => {
    const ask = (label: string, platform: MeasuredPlatform) =>
      asking(label, platform, path, { headers: platform.headers, status: 200, check });
    await bench.compare({
      name,
      product: ask('product', keeping),
      others: [ask('without the log', without)],
      goal: { atLeast: 0.97 },
    });
  };
}
