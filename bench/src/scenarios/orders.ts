import type { OrderingOrder } from '../ceilings/orders.ts';
import { addressOf, openDatabase, POOL_CONNECTIONS } from '../database.ts';
import {
  type Authorizing,
  authorizer,
  findOrderingPlaces,
  orderingContender,
  placeOnce,
} from '../orders.ts';
import { payOnce } from '../payments.ts';
import type { Scenario } from '../scenario.ts';
import { startWorker, workerOf } from '../worker.ts';

const RESTAURANTS = 16;
/** Each takes a while to import. */
const SMOKE_RESTAURANTS = 2;
/** Items of the smallest restaurant; each of the others has one more. */
const ITEMS = 100;

/** Orders with a card payment, whose authorization was made before. */
export const scenario: Scenario = {
  name: 'orders',
  about: 'orders paid by card, at several restaurants, beside the bare SQL of one transaction',
  async run(bench) {
    const length = bench.effort.isSmoke ? SMOKE_RESTAURANTS : RESTAURANTS;
    const items = Array.from({ length }, (_, index) => ITEMS + index).join(',');
    await using platform = await bench.startFilled({}, { restaurants: 1, items });
    const places = await findOrderingPlaces(platform);
    const database = await addressOf(platform);
    const sql = openDatabase(database, 1);
    await using _ = { [Symbol.asyncDispose]: () => sql.end() };
    const authorizing: Authorizing = {
      patternUuid: await payOnce(platform, 'ECDH-ES'),
      clientId: platform.filled.partner.clientId,
      places: places.map(({ restaurantGuid, totalAmount }) => ({ restaurantGuid, totalAmount })),
    };
    const authorizations = authorizer(sql, authorizing);
    await authorizations.prepare(1);
    const orderGuids: string[] = [];
    while (orderGuids.filter(Boolean).length < places.length) {
      const { paymentUuid, place } = authorizations.take();
      const ordering = places[place];
      if (ordering) orderGuids[place] = await placeOnce(platform, ordering, paymentUuid);
    }
    const order: OrderingOrder = {
      ...{ database, connections: POOL_CONNECTIONS, orderGuids, ...authorizing },
    };
    await using statements = await startWorker('orders', order);
    await bench.compare({
      name: '',
      product: orderingContender(platform, sql, authorizing, places),
      others: [workerOf('bare SQL', statements)],
      goal: { atLeast: 0.6 },
    });
  },
};
