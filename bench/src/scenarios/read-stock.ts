import assert from 'node:assert/strict';
import { record, startHttpCeiling } from '../answers.ts';
import { type LoadRequest, measureLoad, requestBytes } from '../load.ts';
import type { MeasuredPlatform } from '../platform.ts';
import type { StartedProcess } from '../processes.ts';
import { isList } from '../read.ts';
import type { Contender, Scenario } from '../scenario.ts';
import { alternatingUpdates, listItems, updateParts } from '../stock.ts';

const LIST = '/stock/v1/inventory';
const NOT_IN_STOCK = 50;
/** One of so many requests changes an item of the list. */
const UPDATE_EVERY = 100;
const isStockList = isList(NOT_IN_STOCK, NOT_IN_STOCK);

/** A list of 50 items that are not in stock, which changes all the time. */
export const scenario: Scenario = {
  name: 'read-stock',
  about: 'a list of 50 items not in stock, one update in 100 requests, beside bare node:http',
  async run(bench) {
    await using platform = await bench.startPlatform();
    const guids = await limitItems(platform);
    const one = await record(...updateParts(platform, guids.slice(0, 1), 4));
    const list = await record(platform.url + LIST, { headers: platform.headers });
    isStockList(list.body);
    await using bare = await startHttpCeiling({ GET: list, PUT: one }, platform.headers);
    await bench.compare({
      name: '',
      product: mixed('product', platform, platform, guids),
      others: [mixed('node:http', bare, platform, guids)],
      goal: { atLeast: 0.8 },
    });
  },
};

/** Has so many items not in stock as the list is to have, and gives those that were in stock. */
async function limitItems(platform: MeasuredPlatform): Promise<string[]> {
  const { url, headers } = platform;
  const list = await record(url + LIST, { headers });
  const limited = new Set(
    (JSON.parse(list.body.toString()) as { guid: string }[]).map(({ guid }) => guid),
  );
  const inStock = (await listItems(platform, 2 * NOT_IN_STOCK)).filter((one) => !limited.has(one));
  const guids = inStock.slice(0, NOT_IN_STOCK - limited.size);
  const updated = await record(...updateParts(platform, guids, 3));
  assert.equal(updated.status, 200, updated.body.toString());
  return guids;
}

function mixed(
  name: string,
  server: StartedProcess,
  { headers }: MeasuredPlatform,
  guids: readonly string[],
): Contender {
  const read: LoadRequest = {
    bytes: requestBytes(server.url + LIST, { headers }),
    status: 200,
    check: isStockList,
  };
  const nextUpdate = alternatingUpdates({ url: server.url, headers }, guids.slice(0, 1));
  let sent = 0;
  const next = () => {
    sent += 1;
    return sent % UPDATE_EVERY === 0 ? nextUpdate() : read;
  };
  return {
    name,
    process: server,
    measure: (seconds) => measureLoad({ url: server.url, next }, seconds),
  };
}
