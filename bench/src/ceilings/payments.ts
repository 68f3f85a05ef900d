import { randomUUID } from 'node:crypto';
import { type DatabaseAddress, openDatabase } from '../database.ts';
import { findPaymentRows, insertIntent, updateOutcome } from './payment-store.ts';
import { givenToWorker, rateOf, serveRounds } from './worker.ts';

// The ceiling of an authorization: the SQL of its two commits, sent by the driver that the product
// uses, over as many connections, for payments that are like one that the product made. Each commit
// is one round trip.

/** Where, and which payment is the pattern. */
export interface PaymentOrder {
  readonly database: DatabaseAddress;
  readonly paymentUuid: string;
  readonly connections: number;
}

const { database, paymentUuid, connections } = givenToWorker<PaymentOrder>();
const sql = openDatabase(database, connections);
const rows = await findPaymentRows(sql, paymentUuid);
const reserved = await Promise.all(Array.from({ length: connections }, () => sql.reserve()));
serveRounds((seconds) => {
  const free = [...reserved];
  return rateOf(seconds, connections, async () => {
    const connection = free.pop();
    if (!connection) throw new Error('more is at once than there are connections');
    const uuid = randomUUID();
    await insertIntent(connection, rows, uuid);
    await updateOutcome(connection, rows, uuid);
    free.push(connection);
  });
});
