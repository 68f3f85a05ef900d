import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { withDatabase } from '@servery/postgres/database-url.ts';
import { sleep } from '@servery/support/timer.ts';
import {
  type ReplicatedServer,
  startReplicatedServer,
} from '../../../postgres/test/streaming-replica.ts';
import { makeTestFolder, removeTestFolder } from '../../../postgres/test/test-folder.ts';
import type { Platform } from '../../src/boot/server.ts';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { examineReplica } from '../../src/database/examine-replica.ts';
import { openReplica, type Replica } from '../../src/database/replica.ts';
import type { DemoClientName, DemoFile } from '../../src/sandbox/demo-file.ts';
import { createLog } from '../../src/support/log.ts';
import { createMetrics } from '../../src/support/metrics.ts';
import { readDemoFile, startEmptyPlatform } from '../empty-platform.ts';
import { until } from '../payments/processors/orders.ts';
import { reservePorts } from '../reserved-ports.ts';
import { insertObject } from '../rows.ts';

const HUNG_MS = 10_000;

let folder: string;
let server: ReplicatedServer;
let platform: Platform;
/** Another process on the primary. */
let other: Database;
let demo: DemoFile;
let soup: string;
let operator: string | undefined;
before(async () => {
  folder = await makeTestFolder();
  const [port = 0, portOfReplica = 0] = await reservePorts(2);
  server = await startReplicatedServer(folder, [port, portOfReplica]);
  other = connectDatabase({ url: server.primary.url, poolSize: 2 });
  platform = await startEmptyPlatform(server.primary.url, folder, {
    SERVERY_REPLICA_URL: server.replica.url,
  });
  demo = await readDemoFile(folder);
  soup = await insertItem('Soup');
});
after(async () => {
  await platform?.stop();
  await other?.close();
  await server?.stop();
  removeTestFolder(folder);
});

const restaurantGuid = () => String(demo.restaurants[0]?.guid);

/** Raises no counter: nobody can know of it but by reading it. */
const insertItem = (name: string) =>
  insertObject(other.sql, restaurantGuid(), 'menuItems', { fields: { name } });

async function logIn(client: DemoClientName, secret?: string): Promise<Response> {
  const { clientId, clientSecret, userAccessType } = demo.clients[client];
  const body = { clientId, clientSecret: secret ?? clientSecret, userAccessType };
  return await send('POST', '/authentication/v1/authentication/login', null, body);
}

async function tokenOf(client: DemoClientName, secret?: string): Promise<string> {
  const answer = await logIn(client, secret);
  assert.equal(answer.status, 200);
  return ((await answer.json()) as { token: { accessToken: string } }).token.accessToken;
}

async function send(
  method: string,
  place: string,
  token: string | null,
  body?: object,
): Promise<Response> {
  return await fetch(`${platform.url}${place}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    headers: {
      [`${demo.brand}-Restaurant-External-ID`]: restaurantGuid(),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
  });
}

async function read<Result>(place: string, token: string): Promise<Result> {
  const answer = await send('GET', place, token);
  assert.equal(answer.status, 200, `${place}: ${await answer.clone().text()}`);
  return (await answer.json()) as Result;
}

let asked = 0;
/** Nothing in memory can answer it. */
async function itemNames(token: string): Promise<string[]> {
  asked += 1;
  const since = new Date(asked * 1_000).toISOString();
  const items = await read<{ name: string }[]>(`/config/v2/menuItems?lastModified=${since}`, token);
  return items.map(({ name }) => name);
}

async function stockOf(token: string): Promise<unknown[]> {
  const elements = await read<{ status: string; quantity: number | null }[]>(
    '/stock/v1/inventory',
    token,
  );
  return elements.map(({ status, quantity }) => quantity ?? status);
}

/** What an operator's metrics say of the replica. */
async function metric(name: string): Promise<number> {
  operator ??= await tokenOf('operator');
  const answer = await send('GET', '/backoffice/v1/metrics', operator);
  const line = (await answer.text()).split('\n').find((one) => one.startsWith(`servery_${name} `));
  return Number(line?.split(' ').at(-1));
}

/** Making the metrics is expensive, so nobody asks all the time. */
const isUsed = async () => {
  await sleep(100);
  return (await metric('replica{what="used"}')) === 1;
};

const onReplica = (text: string) => server.replica.database.sql.unsafe(text);

/** Until it has everything that the primary has now. */
async function caughtUp(): Promise<void> {
  const [row] = await other.sql<[{ at: string }]>`select pg_current_wal_insert_lsn()::text as at`;
  await until('the replica has caught up', async () => {
    const [found] = await onReplica(`select pg_last_wal_replay_lsn() >= '${row.at}' as is_there`);
    return found?.is_there === true;
  });
}

/**
 * Does it while the replica stands still, and does it again if that took so long that the replica
 * was given up.
 */
async function standingStill(work: () => Promise<void>): Promise<void> {
  for (;;) {
    await until('the replica is used', isUsed);
    await caughtUp();
    await server.replica.pause();
    try {
      await work();
    } catch (error) {
      if (await isUsed()) throw error;
      continue;
    } finally {
      await server.replica.resume();
    }
    return;
  }
}

test('a replica that is away at the start is no reason not to serve', async () => {
  assert.deepEqual(await itemNames(await tokenOf('partner')), ['Soup']);
  assert.equal(await isUsed(), false);
  await server.replica.start();
  await until('the replica is used', isUsed);
});

test('restaurants, configuration and stock are read from the replica', async () => {
  const token = await tokenOf('partner');
  const guid = restaurantGuid();
  await standingStill(async () => {
    const names = await itemNames(token);
    const item = await insertItem('Unseen');
    const [before] = await other.sql<[{ name: string }]>`
      select name from restaurant where guid = ${guid}`;
    await other.sql`update restaurant set name = 'Unseen' where guid = ${guid}`;
    await other.sql`
      insert into stock (restaurant_guid, item_guid, status, modified_at)
      values (${guid}, ${item}, 'OUT_OF_STOCK', ${new Date(0)})`;
    try {
      assert.deepEqual(await itemNames(token), names);
      const place = `/restaurants/v1/restaurants/${guid}`;
      const { general } = await read<{ general: { name: string } }>(place, token);
      assert.equal(general.name, before.name);
      assert.deepEqual(await stockOf(token), []);
    } finally {
      await other.sql`delete from stock where item_guid = ${item}`;
      await other.sql`update restaurant set name = ${before.name} where guid = ${guid}`;
      await other.sql`delete from configuration_object where guid = ${item}`;
    }
  });
});

test('a read after a change is never from before it, wherever the change was made', async () => {
  const token = await tokenOf('partner');
  await standingStill(async () => {
    for (const quantity of [7, 5, 3]) {
      const update = [{ guid: soup, status: 'QUANTITY', quantity }];
      assert.equal((await send('PUT', '/stock/v1/inventory/update', token, update)).status, 200);
      assert.deepEqual(await stockOf(token), [quantity]);
    }
    // Another process makes a change: a caller that has seen it once always sees it.
    const name = `Bread ${asked}`;
    await other.transaction(async (sql) => {
      await insertObject(sql, restaurantGuid(), 'menuItems', { fields: { name } });
      await sql.touching([`configuration:${restaurantGuid()}`])`select`;
    });
    await until('the change shows', async () => (await itemNames(token)).includes(name));
    for (const _ of [1, 2, 3]) assert.ok((await itemNames(token)).includes(name));
  });
});

test('servery doctor shows how far the replica is behind', async () => {
  await until('the replica is used', isUsed);
  const facts = await examineReplica(server.replica.url, other.sql);
  assert.ok(facts.isReplica && facts.isSameEnvironment && facts.lagMs !== null);
});

/** What the log says of an address. */
async function toldOf(
  url: string,
  look: (replica: Replica) => Promise<unknown> = (replica) => replica.check(),
): Promise<string> {
  const told: string[] = [];
  let beatAtMs = 0;
  const replica = openReplica({
    ...{ url, poolSize: 1, primary: other, metrics: createMetrics('test') },
    processes: { processId: crypto.randomUUID(), beatAtMs: () => beatAtMs },
    log: createLog('warn', { columns: 200, write: (line) => told.push(line) }),
  });
  beatAtMs = 10_000;
  await look(replica);
  await replica.close();
  return told.join('');
}

test('an address that is no replica is named in the log, with what is wrong with it', async () => {
  const { url } = server.primary;
  const asked: [url: string, reason: RegExp][] = [
    [url, /it is no replica: it takes writes/],
    [withDatabase(url, 'postgres'), /it holds no database of Servery/],
    [server.replica.url, /it has nothing of this server/],
    ['postgres://servery:hidden@nowhere.invalid:5433/shop', /no machine has this name/],
    ['postgres://servery:hidden@localhost:1/shop', /nothing listens there/],
  ];
  for (const [wrong, reason] of asked) {
    let told = await toldOf(wrong);
    // A busy machine may hold the replica for longer than the look waits.
    for (let tries = 1; tries < 20 && told.includes('it does not answer'); tries += 1) {
      told = await toldOf(wrong);
    }
    const { host, pathname } = new URL(wrong);
    assert.match(told, /SERVERY_REPLICA_URL is not used, so the primary answers all reads/);
    assert.ok(told.includes(`replica: ${host}${pathname}`), told);
    assert.match(told, reason);
    assert.ok(!told.includes('hidden'));
  }
});

test('a server that ends while it looks at its replica finds nothing wrong with it', async () => {
  const ending = (replica: Replica) => Promise.all([replica.check(), replica.close()]);
  assert.equal(await toldOf(server.replica.url, ending), '');
});

test('a replica decides nothing about access', async () => {
  const office = await tokenOf('operator');
  const make = async <Result>(place: string, body?: object): Promise<Result> => {
    const answer = await send(body ? 'POST' : 'GET', `/backoffice/v1${place}`, office, body);
    assert.ok(answer.ok, `${place}: ${await answer.clone().text()}`);
    return (await answer.json()) as Result;
  };
  const account = `/clients/${demo.clients.partner.clientId}`;
  const { partner } = await make<{ partner: { guid: string } }>(account);
  const { clientSecret, secretGuid } = await make<Record<'clientSecret' | 'secretGuid', string>>(
    `${account}/secrets`,
    { label: 'leaked' },
  );
  const [token, leaked] = [await tokenOf('partner'), await tokenOf('partner', clientSecret)];
  await until('the replica is used', isUsed);
  await caughtUp();
  for (const each of [token, leaked]) await itemNames(each);
  await server.replica.pause();
  await make(`${account}/secrets/${secretGuid}/revoke`, {});
  assert.equal((await send('GET', '/stock/v1/inventory', leaked)).status, 401);
  assert.equal((await logIn('partner', clientSecret)).status, 401);
  const connection = `/restaurants/${restaurantGuid()}/connections/${partner.guid}`;
  await make(`${connection}/disconnect`, { reason: 'They count by hand.' });
  assert.equal((await send('GET', '/stock/v1/inventory', token)).status, 403);
});

test('the primary answers for a replica that is behind, and operators hear of it', async () => {
  const token = await tokenOf('group');
  await until('the replica is given up', async () => !(await isUsed()));
  assert.ok((await metric('replica{what="lag_seconds"}')) > 5);
  await insertItem('Tea');
  assert.ok((await itemNames(token)).includes('Tea'));
  await server.replica.resume();
  await until('the replica is used again', isUsed);
});

test('the primary answers for a replica that hangs or is killed, until it is back', async () => {
  const token = await tokenOf('group');
  for (const fate of ['SIGSTOP', 'SIGKILL'] as const) {
    await server.replica.signal(fate);
    const startedMs = performance.now();
    await Promise.all(Array.from({ length: 30 }, () => itemNames(token)));
    assert.ok(performance.now() - startedMs < HUNG_MS, fate);
    await until('the replica is given up', async () => !(await isUsed()));
    if (fate === 'SIGSTOP') await server.replica.signal('SIGCONT');
    else await server.replica.start();
    await until('the replica is used again', isUsed);
  }
});
