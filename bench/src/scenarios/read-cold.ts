import assert from 'node:assert/strict';
import { brandedHeaders } from '@servery/contract';
import { record } from '../answers.ts';
import type { ColdOrder } from '../ceilings/cold.ts';
import { insertPages } from '../ceilings/cold-store.ts';
import { addressOf, type DatabaseAddress, openDatabase, POOL_CONNECTIONS } from '../database.ts';
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
    const { restaurantExternalId, requestId } = brandedHeaders(platform.demo.brand);
    const headersAt = (number: number) => {
      const guid = filled.restaurants.pattern.slice(0, -12) + number.toString(16).padStart(12, '0');
      return { ...account, [restaurantExternalId]: guid };
    };
    const database = await addressOf(platform);
    const { 'content-length': _, ...headers } = await storePages(
      database,
      restaurants,
      async (number) => {
        const sent = headersAt(number);
        const { body, headers } = await record(platform.url + PATH, { headers: sent });
        isPage(body);
        return { restaurantGuid: sent[restaurantExternalId] ?? '', body: String(body), headers };
      },
    );
    const order: ColdOrder = {
      database,
      connections: POOL_CONNECTIONS,
      authorization: account.authorization ?? '',
      partnerGuid: filled.partnerGuid,
      restaurantHeader: restaurantExternalId,
      requestIdHeader: requestId,
      headers,
    };
    await using ceiling = await startWorker('cold', order);
    const contender = (name: string, process: typeof ceiling): Contender => {
      const { url } = process;
      let turn = 0;
      const next = (): LoadRequest => {
        turn += 1;
        const headers = headersAt(((turn * STRIDE) % restaurants) + 1);
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

interface RecordedPage {
  readonly restaurantGuid: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Stores what the product answers for each restaurant. Returns the headers of one answer. */
async function storePages(
  database: DatabaseAddress,
  restaurants: number,
  ask: (number: number) => Promise<RecordedPage>,
): Promise<RecordedPage['headers']> {
  const pages: RecordedPage[] = [];
  for (let number = 1; number <= restaurants; number += 1) pages.push(await ask(number));
  const sql = openDatabase(database, 1);
  await insertPages(sql, pages);
  await sql.end();
  const [first] = pages;
  assert.ok(first, 'there is no restaurant');
  return first.headers;
}

function isPage(body: Buffer): void {
  const items = JSON.parse(body.toString()) as unknown[];
  assert.ok(items.length > 0 && items.length <= PAGE_SIZE, `a page of ${items.length}`);
}
