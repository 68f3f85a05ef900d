import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../database.ts';
import { BudgetSeconds } from './budget-seconds.ts';
import {
  type Connection,
  inTime,
  logIn,
  openConnection,
  openRawConnection,
  type RawConnection,
  startWorkerGroup,
  until,
  type WorkerGroup,
} from './worker-group.ts';

/** Steps of a test have limits of their own; this is for what takes many of them. */
const longTimeout = { timeout: 600_000 };

const WORKERS = 2;
const LIMIT = 17;
const MENUS = '/config/v2/menus';
const METRICS = '/backoffice/v1/metrics';
const CLOCK = '/backoffice/v1/clock';

let own: TestDatabase;
let group: WorkerGroup;
let operator: { readonly authorization: string };
let partner: Record<string, string>;
before(async () => {
  own = await createTestDatabase();
  group = await startWorkerGroup({
    flags: [
      ...['--workers', String(WORKERS), '--database-pool', '4'],
      ...['--tls-dev', '--tls-port', '0'],
    ],
    env: {
      DATABASE_URL: own.url,
      SERVERY_RATE_LIMIT_PER_SECOND: String(LIMIT),
      SERVERY_RATE_LIMIT_PER_QUARTER_HOUR: '100000',
    },
  });
  const { clients, restaurants } = group.demo;
  operator = { authorization: `Bearer ${await logIn(group, clients.operator)}` };
  partner = {
    authorization: `Bearer ${await logIn(group, clients.partner)}`,
    'platform-restaurant-external-id': restaurants[0]?.guid ?? '',
  };
});
after(async () => {
  await group?.remove();
  await own.drop();
});

/** So many connections that each worker has some, closed after the test. */
async function withConnections(
  work: (connections: readonly Connection[]) => Promise<void>,
): Promise<void> {
  const connections = Array.from({ length: WORKERS * 4 }, () => openConnection(group.url));
  try {
    await work(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Asks again while the budget of a second is used up. */
async function persistently(connection: Connection, path: string, body?: object): Promise<string> {
  let answered200 = '';
  await until(`a budget for ${path}`, async () => {
    const answer = await connection.send(path, operator, body);
    if (answer.status === 429) return false;
    assert.equal(answer.status, 200, answer.body);
    answered200 = answer.body;
    return true;
  });
  return answered200;
}

let asked = 0;
/** Asks a worker something that is counted, and that no test asks in another way. */
async function askWhetherItLives(connection: Connection): Promise<void> {
  asked += 1;
  assert.equal((await connection.send('/healthz')).status, 200);
}

test('workers: one greeting and one line that says the server is ready', longTimeout, async () => {
  assert.equal(group.output().match(/A first call/g)?.length, 1);
  assert.equal(group.output().match(/servery ready/g)?.length, 1);
  assert.equal((await group.workers()).length, WORKERS);
});

test('workers: all of them answer by https too, on one port', longTimeout, async () => {
  const { tlsUrl } = group.demo;
  assert.ok(tlsUrl);
  const connections = Array.from({ length: WORKERS * 2 }, () => openConnection(tlsUrl));
  for (const connection of connections) await askWhetherItLives(connection);
  for (const connection of connections) connection.close();
});

/** The last second in which a worker counted in the database, for nobody answered it. */
async function lastCountedElsewhere(): Promise<number> {
  const [row] = await own.database.sql<[{ index: number }]>`
    select coalesce(max(second_index), 0) as index from rate_budget`;
  return row.index;
}

test(
  'workers API-7: in no second more than the budget passes, whatever worker answers',
  longTimeout,
  async () => {
    const watched = new BudgetSeconds();
    const isEnough = () => watched.full().length > 0;
    const startedMs = performance.now();
    await withConnections(async (connections) => {
      const ask = async (connection: Connection) => {
        while (!isEnough()) {
          assert.ok(performance.now() - startedMs < 480_000, 'no full second comes');
          await watched.watch(() => connection.send(MENUS, partner));
        }
      };
      do {
        await Promise.all(connections.map(ask));
        watched.forgetUntil(await lastCountedElsewhere());
      } while (!isEnough());
    });
    for (const { reset, left } of watched.full()) {
      const message = `${left.length} in the second before ${reset}`;
      assert.ok(left.length <= LIMIT, message);
      // A quarter may be held by workers that are not asked.
      assert.ok(left.length >= LIMIT - LIMIT / 4, message);
    }
  },
);

/** What a scrape says of an operation, of all workers together. */
function answered(text: string, operation: string): number {
  const line = new RegExp(
    `^servery_operation_duration_seconds_count\\{operation="${operation}"\\} (\\d+)$`,
    'm',
  );
  return Number(line.exec(text)?.[1] ?? 0);
}

const LIVE = 'health.live';

/** The workers that a metric has lines of. */
function tellingWorkers(text: string, name: string): string[] {
  const found = text.matchAll(new RegExp(`^${name}\\{(?:.*,)?worker="(\\w+)"\\}`, 'gm'));
  return [...new Set([...found].map(([, worker]) => worker ?? ''))].sort();
}

test('workers: each worker answers with the metrics of all', longTimeout, async () => {
  await withConnections(async (connections) => {
    for (const connection of connections) await askWhetherItLives(connection);
    for (const connection of connections) {
      // A worker that is held up is told of as it was last: the sum may be lower for a while.
      await until(`a sum of ${asked}`, async () => {
        const sum = answered(await persistently(connection, METRICS), LIVE);
        assert.ok(sum <= asked, `${sum} of ${asked}`);
        return sum === asked;
      });
    }
    let text = '';
    await until('a share of each worker', async () => {
      text = await persistently(connections[0] as Connection, METRICS);
      return tellingWorkers(text, 'servery_database_connections').length === WORKERS;
    });
    const names = ['1', '2'];
    assert.deepEqual(tellingWorkers(text, 'process_resident_memory_bytes'), [...names, 'starter']);
    assert.deepEqual(tellingWorkers(text, 'servery_event_loop_seconds_total'), [
      ...names,
      'starter',
    ]);
    assert.deepEqual(tellingWorkers(text, 'servery_database_connections'), names);
    assert.match(text, /^servery_due_work_age_seconds\{kind="payment"\} 0$/m);
    assert.equal(text.match(/^servery_build_info\{/gm)?.length, 1);
  });
});

/** Opens a stream at one of the workers, which the partner's budget may put off. */
async function follow(path: string, headers: Record<string, string>): Promise<RawConnection> {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map((each) => each.join(': '));
  let begun: RawConnection | null = null;
  await until(`a budget for ${path}`, async () => {
    const rawConnection = openRawConnection(group.url);
    rawConnection.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    const isOpen = await rawConnection
      .says(/^HTTP\/1\.1 (200|429) /)
      .then(([, status]) => status === '200');
    if (isOpen) begun = rawConnection;
    else rawConnection.close();
    return isOpen;
  });
  assert.ok(begun);
  return begun;
}

test('workers: a stream at one tells of what any of them did', longTimeout, async () => {
  const partnerGuid = group.demo.people.find((person) => person.partnerGuid)?.partnerGuid;
  const requests = await follow('/backoffice/v1/requests/stream', operator);
  const events = await follow('/platform/v1/events/stream', partner);
  const done: [event: string, request: string][] = [];
  try {
    await requests.says(/^retry: /m);
    await events.says(/^event: ready$/m);
    await withConnections(async (connections) => {
      const path = `/backoffice/v1/partners/${partnerGuid}/testEvents`;
      for (const connection of connections) {
        const sent = await persistently(connection, path, { eventType: 'partner_updated' });
        const { headers } = await connection.send(MENUS, partner);
        done.push([JSON.parse(sent).eventGuid, String(headers['platform-request-id'])]);
      }
    });
    for (const [event, request] of done) {
      await events.says(new RegExp(`^data: .*"${event}"`, 'm'));
      await requests.says(new RegExp(`^data: .*"${request}"`, 'm'));
    }
  } finally {
    requests.close();
    events.close();
  }
});

test('workers AUTH-10: a secret revoked at one ends its tokens at all', longTimeout, async () => {
  const clients = '/backoffice/v1/clients';
  const { partner: account } = group.demo.clients;
  await withConnections(async (connections) => {
    const [first] = connections as [Connection];
    const issued = JSON.parse(
      await persistently(first, `${clients}/${account.clientId}/secrets`, { label: 'leaked' }),
    );
    const { clientSecret, secretGuid } = issued;
    const authorization = `Bearer ${await logIn(group, { ...account, clientSecret })}`;
    const statusOf = async (connection: Connection, headers: Record<string, string>) =>
      (await connection.send(MENUS, { ...partner, ...headers })).status;
    const each = (headers: Record<string, string>, wanted: number) =>
      Promise.all(
        connections.map((connection) =>
          until(
            `${wanted} of each worker`,
            async () => (await statusOf(connection, headers)) === wanted,
          ),
        ),
      );
    await each({ authorization }, 200);
    await persistently(first, `${clients}/${account.clientId}/secrets/${secretGuid}/revoke`, {});
    // At the one that answered it is over at once; the budget is asked after the token.
    assert.equal(await statusOf(first, { authorization }), 401);
    await each({ authorization }, 401);
    await each({}, 200);
  });
});

test('workers: a clock that one of them freezes stands in all', longTimeout, async () => {
  await withConnections(async (connections) => {
    const [first] = connections as [Connection];
    const status = async (connection: Connection) =>
      JSON.parse(await persistently(connection, CLOCK));
    await persistently(first, `${CLOCK}/freeze`, {});
    const { now } = await status(first);
    const isIn = async (connection: Connection, mode: string) =>
      (await status(connection)).mode === mode;
    for (const connection of connections) {
      await until('a clock that stands', () => isIn(connection, 'FROZEN'));
      assert.equal((await status(connection)).now, now);
    }
    await persistently(first, `${CLOCK}/run`, {});
    for (const connection of connections)
      await until('a clock that runs', () => isIn(connection, 'RUNNING'));
  });
});

test(
  'workers: one that is killed is replaced, while the others go on answering',
  longTimeout,
  async () => {
    const [victim, ...others] = await group.workers();
    const scraper = openConnection(group.url);
    const counted = answered(await persistently(scraper, METRICS), LIVE);
    scraper.close();
    let isReplaced = false;
    let [served, lost] = [0, 0];
    const visit = async (url: string) => {
      while (!isReplaced) {
        // A connection for each request: one that a dying worker accepted may be lost.
        const connection = openConnection(url);
        const answer = await connection.send('/healthz').catch((error: Error) => error);
        connection.close();
        // What is lost is hung up on: nobody waits for ever.
        if (answer instanceof Error) assert.doesNotMatch(answer.message, /did not come/);
        else assert.equal(answer.status, 200);
        if (answer instanceof Error) lost += 1;
        else served += 1;
      }
    };
    const urls = [group.url, group.demo.tlsUrl ?? ''];
    const visits = urls.map(visit);
    const visited = Promise.allSettled(visits);
    let now: readonly number[] = [];
    try {
      process.kill(victim ?? 0, 'SIGKILL');
      await group.says(/a worker ended and is being restarted/);
      const killedAt = served;
      await until('another worker, and somebody served', async () => {
        now = await group.workers();
        return now.length === WORKERS && served > killedAt;
      });
    } finally {
      isReplaced = true;
      await visited;
    }
    await Promise.all(visits);
    assert.ok(others.every((pid) => now.includes(pid)) && !now.includes(victim ?? 0));
    // One for each visitor, and one for each listener, until the starter knows of the end.
    const most = visits.length + urls.length;
    assert.ok(lost <= most, `${lost} were lost, and ${served} served`);
    const again = openConnection(group.url);
    const total = answered(await persistently(again, METRICS), LIVE);
    again.close();
    assert.ok(total >= counted, `${total} is less than ${counted}`);
  },
);

test(
  'workers: those that are told to stop answer what is under way first',
  longTimeout,
  async () => {
    const { clientId, clientSecret, userAccessType } = group.demo.clients.partner;
    const body = JSON.stringify({ clientId, clientSecret, userAccessType });
    const head =
      'POST /authentication/v1/authentication/login HTTP/1.1\r\nHost: localhost\r\n' +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
      'Expect: 100-continue\r\n\r\n';
    const rawConnections = Array.from({ length: WORKERS * 2 }, () => openRawConnection(group.url));
    try {
      for (const rawConnection of rawConnections) {
        rawConnection.write(head);
        // The client that was told to go on is being served.
        await rawConnection.says(/^HTTP\/1\.1 (100|429) /);
      }
      group.child.kill('SIGTERM');
      await group.says(/servery: stopping/);
      for (const rawConnection of rawConnections) {
        rawConnection.write(body);
        await rawConnection.says(/^HTTP\/1\.1 (200|429) /m);
      }
    } finally {
      // A worker waits for what is under way.
      for (const rawConnection of rawConnections) rawConnection.close();
    }
    assert.equal(await inTime(group.ended, 'the end'), 0, group.output());
    assert.deepEqual(await group.workers(), []);
  },
);
