import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { prepareSecret, signatureHeaders } from '@servery/webhooks';
import type postgres from 'postgres';
import { Pool } from 'undici';
import { type DatabaseAddress, openDatabase } from '../database.ts';
import { claimBatch, insertQueue, type Posted, type Queued, recordBatch } from './ceiling-store.ts';

/** What the loop is told to post. */
export interface PostOrder {
  readonly database: DatabaseAddress;
  readonly origin: string;
  readonly paths: readonly string[];
  /** Posts to each path. */
  readonly count: number;
  /** Posts to one path at a time. */
  readonly atOnce: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Signs each post, as the product does. */
  readonly secret: string;
}

/** As many as the product records at once. */
const BATCH = 256;
/** So that some are claimed and others recorded while others are posted. */
const LOOPS = 4;

// The ceiling of deliveries: undici that signs and posts what it claims with one statement for each
// batch, and records with one. It has no rules.
async function postAll({ database, origin, paths, count, ...order }: PostOrder): Promise<void> {
  const { atOnce, headers, body, secret } = order;
  const sql = openDatabase(database, LOOPS);
  await insertQueue(sql, { paths: paths.length, count, body });
  const pools = paths.map(() => new Pool(origin, { connections: atOnce }));
  const secrets = [prepareSecret(secret)];
  const post = async ({ path: index, number, guid, body: sent }: Queued): Promise<Posted> => {
    const [pool, path] = [pools[index], paths[index]];
    if (!pool || path === undefined) throw new Error(`there is no path ${index}`);
    const startedMs = performance.now();
    const timestampSeconds = Math.floor((performance.timeOrigin + startedMs) / 1000);
    const bodyTimestamp = String(timestampSeconds);
    const signed = {
      ...headers,
      ...signatureHeaders({ id: guid, body: sent, bodyTimestamp, timestampSeconds, secrets }),
    };
    const response = await pool.request({ path, method: 'POST', headers: signed, body: sent });
    const answer = await response.body.text();
    const durationMs = Math.round(performance.now() - startedMs);
    const status = response.statusCode;
    return { path: index, number, url: origin + path, status, answer, durationMs };
  };
  await Promise.all(Array.from({ length: LOOPS }, () => deliverAll(sql, post)));
  await Promise.all(pools.map((pool) => pool.close()));
  await sql.end();
}

async function deliverAll(sql: postgres.Sql, post: (queued: Queued) => Promise<Posted>) {
  for (;;) {
    const batch = await claimBatch(sql, BATCH);
    if (batch.length === 0) return;
    await recordBatch(sql, await Promise.all(batch.map(post)));
  }
}

const server = createServer(async (request, response) => {
  await postAll(JSON.parse(await text(request)));
  response.end();
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`ceiling ready http://127.0.0.1:${port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
