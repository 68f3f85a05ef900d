import assert from 'node:assert/strict';
import { brandedHeaders } from '@servery/contract';
import type { ColdOrder } from '../ceilings/cold.ts';
import { addressOf, POOL_CONNECTIONS } from '../database.ts';
import { headersOf } from '../filled.ts';
import { type LoadRequest, measureLoad, requestBytes } from '../load.ts';
import type { Contender, Scenario } from '../scenario.ts';
import { startWorker } from '../worker.ts';

const PATH = '/config/v2/menuItems';
const PAGE_SIZE = 300;
/** Coprime with the numbers of restaurants. */
const STRIDE = 7_919;
/** Of a MiB, no page or access of a restaurant is left when its turn comes again. */
const FORGETFUL = { env: { SERVERY_CACHE: '1' } };

/** A page of menu items of one restaurant after the other, of which nothing is remembered. */
export const scenario: Scenario = {
  name: 'read-cold',
  about: 'a page of each of 1,000 restaurants in turn, nothing remembered, beside one statement',
  async run(bench) {
    const { isSmoke } = bench.effort;
    const restaurants = isSmoke ? 30 : 1_000;
    await using platform = await bench.startFilled(isSmoke ? {} : FORGETFUL, {
      restaurants,
      items: '',
    });
    const { filled } = platform;
    const account = await headersOf(platform, filled.partner);
    const { restaurantExternalId } = brandedHeaders(platform.demo.brand);
    const order: ColdOrder = {
      database: await addressOf(platform),
      connections: POOL_CONNECTIONS,
      authorization: account.authorization ?? '',
      restaurantHeader: restaurantExternalId,
      pageSize: PAGE_SIZE,
    };
    await using ceiling = await startWorker('cold', order);
    const contender = (name: string, process: typeof ceiling): Contender => {
      const { url } = process;
      let turn = 0;
      const next = (): LoadRequest => {
        turn += 1;
        const number = ((turn * STRIDE) % restaurants) + 1;
        const guid =
          filled.restaurants.pattern.slice(0, -12) + number.toString(16).padStart(12, '0');
        const headers = { ...account, [restaurantExternalId]: guid };
        return { bytes: requestBytes(url + PATH, { headers }), status: 200, check: isPage };
      };
      return { name, process, measure: (seconds) => measureLoad({ url, next }, seconds) };
    };
    await bench.compare({
      name: 'a page',
      product: contender('product', platform),
      others: [contender('one statement', ceiling)],
      goal: { atLeast: 0.6 },
    });
  },
};

function isPage(body: Buffer): void {
  const items = JSON.parse(body.toString()) as unknown[];
  assert.ok(items.length > 0 && items.length <= PAGE_SIZE, `a page of ${items.length}`);
}
