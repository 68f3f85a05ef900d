import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DatabaseAddress, openDatabase } from '../database.ts';
import { findPage } from './cold-store.ts';
import { givenToWorker } from './worker.ts';

// The ceiling of a read of which nothing is remembered: node:http that looks up the caller's token,
// sends one prepared statement for each request, and answers with the product's bytes, which are in
// a table, and its headers. The request ID and the entity tag are made for each answer.

/** Where, who asks, and which header names the restaurant. */
export interface ColdOrder {
  readonly database: DatabaseAddress;
  readonly connections: number;
  readonly authorization: string;
  readonly partnerGuid: string;
  readonly restaurantHeader: string;
  readonly requestIdHeader: string;
  /** Those of an answer of the product. */
  readonly headers: Readonly<Record<string, string>>;
}

const order = givenToWorker<ColdOrder>();
const sql = openDatabase(order.database, order.connections);
const callers = new Map([[order.authorization, true]]);
const restaurantHeader = order.restaurantHeader.toLowerCase();
const requestIdHeader = order.requestIdHeader.toLowerCase();

const server = createServer(async ({ headers }, response) => {
  if (!callers.has(headers.authorization ?? '')) throw new Error('no token came');
  const page = await findPage(sql, String(headers[restaurantHeader]), order.partnerGuid);
  const bytes = Buffer.from(page);
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  response.writeHead(200, {
    ...order.headers,
    [requestIdHeader]: randomUUID(),
    etag: `"${digest}"`,
    'content-length': bytes.length,
  });
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`ceiling ready http://127.0.0.1:${port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
