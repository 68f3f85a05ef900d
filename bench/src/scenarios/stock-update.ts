import type { StockOrder } from '../ceilings/stock.ts';
import { addressOf } from '../database.ts';
import { measureLoad } from '../load.ts';
import type { Scenario } from '../scenario.ts';
import { alternatingUpdates, listItems } from '../stock.ts';
import { startWorker, workerOf } from '../worker.ts';

const SIZES = [1, 100, 5_000];
/** What a restaurant of the demo group has; 50,000 items take a while to publish. */
const SMOKE_SIZES = [1, 100];

const HUGE = { env: { SERVERY_PROFILE: 'huge' } };

/** Updates of one restaurant's stock, one after the other, which is how they happen in any case. */
export const scenario: Scenario = {
  name: 'stock-update',
  about: 'updates of 1, 100 and 5,000 elements, beside one SQL statement for the same rows',
  async run(bench) {
    const { isSmoke } = bench.effort;
    await using platform = await bench.startPlatform(isSmoke ? undefined : HUGE);
    const { url, restaurantGuid } = platform;
    for (const size of isSmoke ? SMOKE_SIZES : SIZES) {
      const itemGuids = await listItems(platform, size);
      const order: StockOrder = { database: await addressOf(platform), restaurantGuid, itemGuids };
      await using statement = await startWorker('stock', order);
      const target = { url, next: alternatingUpdates(platform, itemGuids), connections: 1 };
      await bench.compare({
        name: size === 1 ? '1 element' : `${size} elements`,
        product: {
          name: 'product',
          process: platform,
          measure: (seconds) => measureLoad(target, seconds),
        },
        others: [workerOf('one statement', statement)],
        goal: { atLeast: 0.7 },
      });
    }
  },
};
