import assert from 'node:assert/strict';
import { brandedHeaders } from '@servery/contract';
import { record } from '../answers.ts';
import { type Filled, headersOf } from '../filled.ts';
import { type LoadRequest, measureLoad, requestBytes } from '../load.ts';
import type { MeasuredPlatform } from '../platform.ts';
import { memoryOf } from '../processes.ts';
import type { Bench, Contender, Scenario } from '../scenario.ts';
import { spreadOf } from '../statistics.ts';

const GOAL = { atLeast: 0.9 };
/** So many restaurants are polled in each platform, however many there are. */
const HOT = 10;
const PAGE_ITEMS = 300;
/** Coprime with the numbers of restaurants: neighbours in time are far apart. */
const STRIDE = 7_919;
const RESTAURANTS_PER_GROUP = 10;
const MEBIBYTE = 2 ** 20;
/** Where the numbers of a restaurant and of its group go. */
const [RESTAURANT, GROUP] = ['RRRRRRRRRRRR', 'GGGGGGGGGGGG'];

/** A platform with so many restaurants. */
interface Stage {
  readonly platform: MeasuredPlatform;
  readonly filled: Filled;
  readonly account: Readonly<Record<string, string>>;
}

/**
 * The same reads in platforms of ten, a thousand and a hundred thousand restaurants, of ten of them
 * and of all in turn, and of restaurants with a hundred to fifty thousand items. Each is beside
 * itself where there is least.
 */
export const scenario: Scenario = {
  name: 'scale',
  about: 'reads among 100,000 restaurants and 50,000 items, beside the same among few',
  async run(bench) {
    const [least, ...sizes] = bench.effort.isSmoke ? [10, 30] : [10, 1_000, 100_000];
    const items = bench.effort.isSmoke ? [100, 300, 600] : [100, 300, 50_000];
    await using small = await startStage(bench, least ?? 0, []);
    for (const [index, size] of sizes.entries()) {
      const isLast = index === sizes.length - 1;
      await using large = await startStage(bench, size, isLast ? items : []);
      await compareRestaurants(bench, large, small);
      if (isLast) await compareItems(bench, large);
    }
  },
};

async function startStage(
  bench: Bench,
  restaurants: number,
  items: readonly number[],
): Promise<Stage & AsyncDisposable> {
  const platform = await bench.startFilled({}, { restaurants, items: items.join(',') });
  const { filled } = platform;
  try {
    const account = await headersOf(platform, filled.partner);
    const stop = () => platform[Symbol.asyncDispose]();
    return { platform, filled, account, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await platform[Symbol.asyncDispose]();
    throw error;
  }
}

async function compareRestaurants(bench: Bench, large: Stage, small: Stage): Promise<void> {
  const count = large.filled.restaurants.count;
  const shown = count.toLocaleString('en');
  const few = String(small.filled.restaurants.count);
  await bench.compare({
    name: `${HOT} polled of ${shown}`,
    product: mixed(large, await readsOf(large), shown, HOT),
    others: [mixed(small, await readsOf(small), few, HOT)],
    goal: GOAL,
  });
  await bench.compare({
    name: `${shown} in turn`,
    product: mixed(large, await readsOf(large), shown, count),
    others: [mixed(small, await readsOf(small), few, HOT)],
    goal: GOAL,
  });
  const [own, other] = await Promise.all([large, small].map(memoryNow));
  bench.report({
    name: `memory after reads of ${shown}`,
    unit: 'MiB',
    product: { name: shown, ...spreadOf([own ?? 0]) },
    others: [{ name: few, ...spreadOf([other ?? 0]) }],
    ratio: spreadOf([(own ?? 0) / (other ?? 0)]),
    goal: null,
  });
}

async function memoryNow({ platform }: Stage): Promise<number> {
  return (await memoryOf(platform.pid)).rss / MEBIBYTE;
}

/** A request that is sent to one restaurant after the other. */
interface Read extends Omit<LoadRequest, 'bytes'> {
  readonly before: string;
}

/**
 * What a partner polls: a page of the menu, one item, what is not in stock, the restaurant itself
 * and its group.
 */
async function readsOf({ platform, filled, account }: Stage): Promise<Read[]> {
  const { restaurantExternalId } = brandedHeaders(platform.demo.brand);
  const tail = (guid: string, place: string) => guid.slice(0, -12) + place;
  const first = tail(filled.restaurants.pattern, numbered(1));
  const headers = { ...account, [restaurantExternalId]: first };
  const ask = async (path: string) => {
    const answer = await record(platform.url + path, { headers });
    assert.equal(answer.status, 200, `${path} was answered ${answer.status}`);
    return JSON.parse(answer.body.toString());
  };
  const items = (await ask('/config/v2/menuItems')) as { guid: string }[];
  const { general } = (await ask(`/restaurants/v1/restaurants/${first}`)) as {
    general: { managementGroupGuid: string };
  };
  const asked = tail(filled.restaurants.pattern, RESTAURANT);
  const item = tail(items[0]?.guid ?? '', RESTAURANT);
  const group = tail(general.managementGroupGuid, GROUP);
  const isList = (least: number) => (body: Buffer) => {
    const { length } = JSON.parse(body.toString()) as unknown[];
    assert.ok(length >= least, `a list of ${length}`);
  };
  const paths: [string, LoadRequest['check']][] = [
    ['/config/v2/menuItems', isList(items.length)],
    [`/config/v2/menuItems/${item}`, (body) => assert.ok(JSON.parse(body.toString()).guid)],
    ['/stock/v1/inventory', isList(3)],
    [
      `/restaurants/v1/restaurants/${asked}`,
      (body) => assert.ok(JSON.parse(body.toString()).general),
    ],
    [`/restaurants/v1/groups/${group}/restaurants`, isList(1)],
  ];
  const sent = { ...account, [restaurantExternalId]: asked };
  return paths.map(([path, check = () => {}]) => ({
    before: requestBytes(platform.url + path, { headers: sent }).toString(),
    status: 200,
    check,
  }));
}

function numbered(number: number): string {
  return number.toString(16).padStart(12, '0');
}

/** Asks restaurants from 1 to `count` in turn, each time for something else. */
function mixed(
  { platform }: Stage,
  reads: readonly Read[],
  name: string,
  count: number,
): Contender {
  let turn = 0;
  const next = (): LoadRequest => {
    turn += 1;
    const restaurant = ((turn * STRIDE) % count) + 1;
    const { before, ...read } = reads[turn % reads.length] as Read;
    const group = numbered(Math.floor((restaurant - 1) / RESTAURANTS_PER_GROUP) + 1);
    const text = before.replaceAll(RESTAURANT, numbered(restaurant)).replaceAll(GROUP, group);
    return { ...read, bytes: Buffer.from(text) };
  };
  return {
    name: `of ${name}`,
    process: platform,
    measure: (seconds) => measureLoad({ url: platform.url, next }, seconds),
  };
}

/** What is read of a restaurant with many items, and of one with few. */
async function compareItems(bench: Bench, stage: Stage): Promise<void> {
  const [few, page, many] = stage.filled.large;
  if (!few || !page || !many) throw new Error('the restaurants with many items are not there');
  for (const path of ['/config/v2/menuItems/{item}', '/stock/v1/inventory']) {
    await compareSizes(bench, stage, path, many, few);
  }
  await compareSizes(bench, stage, '/config/v2/menuItems', many, page);
}

async function compareSizes(
  bench: Bench,
  stage: Stage,
  path: string,
  many: Filled['large'][number],
  few: Filled['large'][number],
): Promise<void> {
  const contender = async ({ guid, items }: Filled['large'][number]): Promise<Contender> => {
    const { platform, account } = stage;
    const { restaurantExternalId } = brandedHeaders(platform.demo.brand);
    const headers = { ...account, [restaurantExternalId]: guid };
    const menu = await record(`${platform.url}/config/v2/menuItems`, { headers });
    const list = JSON.parse(menu.body.toString()) as { guid: string }[];
    assert.equal(list.length, Math.min(items, PAGE_ITEMS));
    const url = platform.url + path.replace('{item}', list[0]?.guid ?? '');
    const answer = await record(url, { headers });
    assert.equal(answer.status, 200);
    const request = {
      bytes: requestBytes(url, { headers }),
      status: 200,
      length: answer.body.length,
    };
    return {
      name: `of ${items.toLocaleString('en')}`,
      process: platform,
      measure: (seconds) => measureLoad({ url: platform.url, next: () => request }, seconds),
    };
  };
  await bench.compare({
    name: `${path} of ${many.items.toLocaleString('en')} items`,
    product: await contender(many),
    others: [await contender(few)],
    goal: GOAL,
  });
}
