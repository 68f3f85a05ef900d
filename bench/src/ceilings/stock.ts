import { type DatabaseAddress, openDatabase } from '../database.ts';
import { updateStock } from './stock-store.ts';
import { givenToWorker, rateOf, serveRounds } from './worker.ts';

// The ceiling of a stock update: one statement for the same rows, sent by the driver that the
// product uses, one after the other.

/** Where, and what is updated. */
export interface StockOrder {
  readonly database: DatabaseAddress;
  readonly restaurantGuid: string;
  readonly itemGuids: readonly string[];
}

const { database, restaurantGuid, itemGuids } = givenToWorker<StockOrder>();
const sql = openDatabase(database, 1);
let sent = 0;
serveRounds((seconds) =>
  rateOf(seconds, 1, async () => {
    sent += 1;
    // Other quantities than those that the product is asked for: every row changes.
    await updateStock(sql, restaurantGuid, itemGuids, 7 + (sent % 2));
  }),
);
