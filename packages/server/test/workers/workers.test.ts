import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { type Crew, type Line, logIn, openLine, startCrew } from './crew.ts';

const WORKERS = 3;
const LIMIT = 17;
const MENUS = '/config/v2/menus';
const METRICS = '/backoffice/v1/metrics';
const CLOCK = '/backoffice/v1/clock';

let own: TestDatabase;
let crew: Crew;
let operator: { readonly authorization: string };
let partner: Record<string, string>;
before(async () => {
  own = await createTestDatabase();
  crew = await startCrew({
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
  const { clients, restaurants } = crew.demo;
  operator = { authorization: `Bearer ${await logIn(crew, clients.operator)}` };
  partner = {
    authorization: `Bearer ${await logIn(crew, clients.partner)}`,
    'platform-restaurant-external-id': restaurants[0]?.guid ?? '',
  };
});
after(async () => {
  await crew?.remove();
  await own.drop();
});

/** So many connections that each worker has some, closed after the test. */
async function withLines(work: (lines: readonly Line[]) => Promise<void>): Promise<void> {
  const lines = Array.from({ length: WORKERS * 4 }, () => openLine(crew.url));
  try {
    await work(lines);
  } finally {
    for (const line of lines) line.close();
  }
}

/** Asks again while the budget of a second is used up. */
async function persistently(line: Line, path: string, body?: object): Promise<string> {
  for (;;) {
    const answer = await line.send(path, operator, body);
    if (answer.status === 429) continue;
    assert.equal(answer.status, 200, answer.body);
    return answer.body;
  }
}

test('workers: one greeting and one line that says the server is ready', async () => {
  assert.equal(crew.output().match(/A first call/g)?.length, 1);
  assert.equal(crew.output().match(/servery ready/g)?.length, 1);
  assert.equal((await crew.workers()).length, WORKERS);
});

test('workers: all of them answer by https too, on one port', async () => {
  const { tlsUrl } = crew.demo;
  assert.ok(tlsUrl);
  const lines = Array.from({ length: WORKERS * 2 }, () => openLine(tlsUrl));
  for (const line of lines) assert.equal((await line.send('/healthz')).status, 200);
  for (const line of lines) line.close();
});

test('workers C7: in each second just the budget passes, whatever worker answers', async () => {
  /** By the second: what was left after each request that passed, and how many were refused. */
  const seconds = new Map<string, { left: number[]; refused: number }>();
  const isEnough = () => [...seconds.values()].filter(({ refused }) => refused > 0).length >= 4;
  await withLines(async (lines) => {
    const ask = async (line: Line) => {
      while (!isEnough()) {
        const { status, headers } = await line.send(MENUS, partner);
        const reset = String(headers['x-platform-ratelimit-reset']);
        const second = seconds.get(reset) ?? { left: [], refused: 0 };
        seconds.set(reset, second);
        if (status === 429) second.refused += 1;
        else second.left.push(Number(headers['x-platform-ratelimit-remaining']));
      }
    };
    await Promise.all(lines.map(ask));
  });
  const inOrder = Array.from({ length: LIMIT }, (_one, at) => LIMIT - 1 - at);
  for (const [reset, { left, refused }] of seconds) {
    left.sort((one, other) => other - one);
    assert.deepEqual(left, inOrder.slice(0, left.length), `the second before ${reset}`);
    if (refused > 0) assert.equal(left.length, LIMIT, `the second before ${reset}`);
  }
});

/** What a scrape says of an operation, of all workers together. */
function answered(text: string, operation: string): number {
  const line = new RegExp(
    `^servery_operation_duration_seconds_count\\{operation="${operation}"\\} (\\d+)$`,
    'm',
  );
  return Number(line.exec(text)?.[1] ?? 0);
}

const LIVE = 'health.live';

test('workers: metrics are those of all, whoever is asked', async () => {
  await withLines(async (lines) => {
    const [first] = lines as [Line];
    const before = answered(await persistently(first, METRICS), LIVE);
    await Promise.all(lines.map((line) => line.send('/healthz')));
    for (const line of lines) {
      const text = await persistently(line, METRICS);
      assert.equal(answered(text, LIVE), before + lines.length);
    }
    const text = await persistently(first, METRICS);
    const workersOf = (name: string) => {
      const found = text.matchAll(new RegExp(`^${name}\\{(?:.*,)?worker="(\\w+)"\\}`, 'gm'));
      return [...new Set([...found].map(([, worker]) => worker))].sort();
    };
    const names = ['1', '2', '3'];
    assert.deepEqual(workersOf('process_resident_memory_bytes'), [...names, 'starter']);
    assert.deepEqual(workersOf('servery_event_loop_seconds_total'), [...names, 'starter']);
    assert.deepEqual(workersOf('servery_database_connections'), names);
    assert.match(text, /^servery_due_work_age_seconds\{kind="payment"\} 0$/m);
    assert.equal(text.match(/^servery_build_info\{/gm)?.length, 1);
  });
});

test('workers: a clock that one of them freezes stands in all', async () => {
  await withLines(async (lines) => {
    const [first] = lines as [Line];
    const status = async (line: Line) => JSON.parse(await persistently(line, CLOCK));
    await persistently(first, `${CLOCK}/freeze`, {});
    const { now } = await status(first);
    for (const line of lines) {
      while ((await status(line)).mode !== 'FROZEN');
      assert.equal((await status(line)).now, now);
    }
    await persistently(first, `${CLOCK}/run`, {});
    for (const line of lines) while ((await status(line)).mode !== 'RUNNING');
  });
});

test('workers: one that is killed is replaced, while the others go on answering', async () => {
  const [victim, ...others] = await crew.workers();
  const scraper = openLine(crew.url);
  const counted = answered(await persistently(scraper, METRICS), LIVE);
  scraper.close();
  let isReplaced = false;
  let [served, lost] = [0, 0];
  const visit = async () => {
    while (!isReplaced) {
      // A connection for each request: one that was accepted by whoever dies may be lost.
      const line = openLine(crew.url);
      await line.send('/healthz').then(
        ({ status }) => {
          assert.equal(status, 200);
          served += 1;
        },
        () => {
          lost += 1;
        },
      );
      line.close();
    }
  };
  const visits = Array.from({ length: 4 }, visit);
  process.kill(victim ?? 0, 'SIGKILL');
  await crew.says(/a worker has ended: it is started again/);
  const killedAt = served;
  let now: readonly number[] = [];
  while (now.length < WORKERS || served <= killedAt) now = await crew.workers();
  isReplaced = true;
  await Promise.all(visits);
  assert.ok(others.every((pid) => now.includes(pid)) && !now.includes(victim ?? 0));
  assert.ok(lost <= 4, `${lost} were lost, and ${served} served`);
  const again = openLine(crew.url);
  const total = answered(await persistently(again, METRICS), LIVE);
  again.close();
  assert.ok(total >= counted, `${total} is less than ${counted}`);
});

test('workers: those that are told to stop answer what is under way first', async () => {
  const { clientId, clientSecret, userAccessType } = crew.demo.clients.partner;
  const body = JSON.stringify({ clientId, clientSecret, userAccessType });
  const { port } = new URL(crew.url);
  const head =
    'POST /authentication/v1/authentication/login HTTP/1.1\r\nHost: localhost\r\n' +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
    'Expect: 100-continue\r\n\r\n';
  const sockets = Array.from({ length: WORKERS * 2 }, () => connect(Number(port), '127.0.0.1'));
  for (const socket of sockets) {
    socket.write(head);
    // Whoever was told to go on is being served.
    assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 (100|429) /);
  }
  crew.child.kill('SIGTERM');
  await crew.says(/servery: stopping/);
  for (const socket of sockets) {
    const answer = once(socket, 'data');
    socket.write(body);
    assert.match(String(await answer), /^HTTP\/1\.1 (200|429) /);
    socket.destroy();
  }
  assert.equal(await crew.ended, 0, crew.output());
  assert.deepEqual(await crew.workers(), []);
});
