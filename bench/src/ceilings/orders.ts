import { type DatabaseAddress, openDatabase } from '../database.ts';
import { type Authorizing, authorizer } from '../orders.ts';
import { findOrderRows, insertOrder } from './order-store.ts';
import { givenToWorker, rateOf, serveRounds } from './worker.ts';

// The ceiling of placing an order: its bare SQL in one transaction, sent by the driver that the
// product uses, over as many connections, for orders that are like those that the product placed.

/** Where, and what is placed. */
export interface OrderingOrder extends Authorizing {
  readonly database: DatabaseAddress;
  readonly connections: number;
  /** An order that the product has placed, for each place. */
  readonly orderGuids: readonly string[];
}

const { database, connections, orderGuids, ...authorizing } = givenToWorker<OrderingOrder>();
const sql = openDatabase(database, connections + 1);
const patterns = await Promise.all(
  orderGuids.map((guid, index) => findOrderRows(sql, guid, index)),
);
const reserved = await Promise.all(Array.from({ length: connections }, () => sql.reserve()));
const authorizations = authorizer(sql, authorizing);
serveRounds(async (seconds) => {
  await authorizations.prepare(seconds);
  const free = [...reserved];
  return await rateOf(seconds, connections, async () => {
    const connection = free.pop();
    if (!connection) throw new Error('more is at once than there are connections');
    const { paymentUuid, place } = authorizations.take();
    const rows = patterns[place];
    if (!rows) throw new Error('no order was placed there before');
    await insertOrder(connection, rows, paymentUuid);
    free.push(connection);
  });
});
