import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../database.ts';
import {
  type Crew,
  inTime,
  type Line,
  logIn,
  openLine,
  openWire,
  startCrew,
  until,
  type Wire,
} from './crew.ts';
import { Seconds } from './seconds.ts';

/** Steps of a test have limits of their own; this is for what takes many of them. */
const patient = { timeout: 600_000 };

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
  let answered200 = '';
  await until(`a budget for ${path}`, async () => {
    const answer = await line.send(path, operator, body);
    if (answer.status === 429) return false;
    assert.equal(answer.status, 200, answer.body);
    answered200 = answer.body;
    return true;
  });
  return answered200;
}

let asked = 0;
/** Asks a worker something that is counted, and that no test asks in another way. */
async function askWhetherItLives(line: Line): Promise<void> {
  asked += 1;
  assert.equal((await line.send('/healthz')).status, 200);
}

test('workers: one greeting and one line that says the server is ready', patient, async () => {
  assert.equal(crew.output().match(/A first call/g)?.length, 1);
  assert.equal(crew.output().match(/servery ready/g)?.length, 1);
  assert.equal((await crew.workers()).length, WORKERS);
});

test('workers: all of them answer by https too, on one port', patient, async () => {
  const { tlsUrl } = crew.demo;
  assert.ok(tlsUrl);
  const lines = Array.from({ length: WORKERS * 2 }, () => openLine(tlsUrl));
  for (const line of lines) await askWhetherItLives(line);
  for (const line of lines) line.close();
});

/** The last second in which a worker counted in the database, for nobody answered it. */
async function lastCountedElsewhere(): Promise<number> {
  const [row] = await own.database.sql<[{ index: number }]>`
    select coalesce(max(second_index), 0) as index from rate_count`;
  return row.index;
}

test(
  'workers API-7: in each second just the budget passes, whatever worker answers',
  patient,
  async () => {
    const watched = new Seconds();
    const isEnough = () => watched.full().length >= 4;
    const startedMs = performance.now();
    await withLines(async (lines) => {
      const ask = async (line: Line) => {
        while (!isEnough()) {
          assert.ok(performance.now() - startedMs < 480_000, 'four full seconds do not come');
          await watched.watch(() => line.send(MENUS, partner));
        }
      };
      do {
        await Promise.all(lines.map(ask));
        watched.forgetUntil(await lastCountedElsewhere());
      } while (!isEnough());
    });
    const inOrder = Array.from({ length: LIMIT }, (_one, at) => LIMIT - 1 - at);
    for (const { reset, left } of watched.full()) {
      left.sort((one, other) => other - one);
      assert.deepEqual(left, inOrder, `the second before ${reset}`);
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

test('workers: metrics are those of all, whoever is asked', patient, async () => {
  await withLines(async (lines) => {
    for (const line of lines) await askWhetherItLives(line);
    for (const line of lines) {
      // A worker that is held up is told of as it was last: the sum may be lower for a while.
      await until(`a sum of ${asked}`, async () => {
        const sum = answered(await persistently(line, METRICS), LIVE);
        assert.ok(sum <= asked, `${sum} of ${asked}`);
        return sum === asked;
      });
    }
    let text = '';
    await until('a share of each worker', async () => {
      text = await persistently(lines[0] as Line, METRICS);
      return tellingWorkers(text, 'servery_database_connections').length === WORKERS;
    });
    const names = ['1', '2', '3'];
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
async function follow(path: string, headers: Record<string, string>): Promise<Wire> {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map((each) => each.join(': '));
  let begun: Wire | null = null;
  await until(`a budget for ${path}`, async () => {
    const wire = openWire(crew.url);
    wire.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    const isOpen = await wire.says(/^HTTP\/1\.1 (200|429) /).then(([, status]) => status === '200');
    if (isOpen) begun = wire;
    else wire.close();
    return isOpen;
  });
  assert.ok(begun);
  return begun;
}

test('workers: a stream at one tells of what any of them did', patient, async () => {
  const partnerGuid = crew.demo.people.find((person) => person.partnerGuid)?.partnerGuid;
  const requests = await follow('/backoffice/v1/requests/stream', operator);
  const events = await follow('/platform/v1/events/stream', partner);
  const done: [event: string, request: string][] = [];
  try {
    await requests.says(/^retry: /m);
    await events.says(/^event: ready$/m);
    await withLines(async (lines) => {
      const path = `/backoffice/v1/partners/${partnerGuid}/testEvents`;
      for (const line of lines) {
        const sent = await persistently(line, path, { eventType: 'partner_updated' });
        const { headers } = await line.send(MENUS, partner);
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

test('workers AUTH-10: a secret revoked at one ends its tokens at all', patient, async () => {
  const clients = '/backoffice/v1/clients';
  const { partner: account } = crew.demo.clients;
  await withLines(async (lines) => {
    const [first] = lines as [Line];
    const issued = JSON.parse(
      await persistently(first, `${clients}/${account.clientId}/secrets`, { label: 'leaked' }),
    );
    const { clientSecret, secretGuid } = issued;
    const authorization = `Bearer ${await logIn(crew, { ...account, clientSecret })}`;
    const statusOf = async (line: Line, headers: Record<string, string>) =>
      (await line.send(MENUS, { ...partner, ...headers })).status;
    const each = (headers: Record<string, string>, wanted: number) =>
      Promise.all(
        lines.map((line) =>
          until(`${wanted} of each worker`, async () => (await statusOf(line, headers)) === wanted),
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

test('workers: a clock that one of them freezes stands in all', patient, async () => {
  await withLines(async (lines) => {
    const [first] = lines as [Line];
    const status = async (line: Line) => JSON.parse(await persistently(line, CLOCK));
    await persistently(first, `${CLOCK}/freeze`, {});
    const { now } = await status(first);
    const isIn = async (line: Line, mode: string) => (await status(line)).mode === mode;
    for (const line of lines) {
      await until('a clock that stands', () => isIn(line, 'FROZEN'));
      assert.equal((await status(line)).now, now);
    }
    await persistently(first, `${CLOCK}/run`, {});
    for (const line of lines) await until('a clock that runs', () => isIn(line, 'RUNNING'));
  });
});

test(
  'workers: one that is killed is replaced, while the others go on answering',
  patient,
  async () => {
    const [victim, ...others] = await crew.workers();
    const scraper = openLine(crew.url);
    const counted = answered(await persistently(scraper, METRICS), LIVE);
    scraper.close();
    let isReplaced = false;
    let [served, lost] = [0, 0];
    const visit = async (url: string) => {
      while (!isReplaced) {
        // A connection for each request: one that was accepted by whoever dies may be lost.
        const line = openLine(url);
        const answer = await line.send('/healthz').catch((error: Error) => error);
        line.close();
        // What is lost is hung up on: nobody waits for ever.
        if (answer instanceof Error) assert.doesNotMatch(answer.message, /did not come/);
        else assert.equal(answer.status, 200);
        if (answer instanceof Error) lost += 1;
        else served += 1;
      }
    };
    const urls = [crew.url, crew.demo.tlsUrl ?? ''];
    const visits = [...urls, ...urls].map(visit);
    const visited = Promise.allSettled(visits);
    let now: readonly number[] = [];
    try {
      process.kill(victim ?? 0, 'SIGKILL');
      await crew.says(/a worker has ended: it is started again/);
      const killedAt = served;
      await until('another worker, and somebody served', async () => {
        now = await crew.workers();
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
    const again = openLine(crew.url);
    const total = answered(await persistently(again, METRICS), LIVE);
    again.close();
    assert.ok(total >= counted, `${total} is less than ${counted}`);
  },
);

test('workers: those that are told to stop answer what is under way first', patient, async () => {
  const { clientId, clientSecret, userAccessType } = crew.demo.clients.partner;
  const body = JSON.stringify({ clientId, clientSecret, userAccessType });
  const head =
    'POST /authentication/v1/authentication/login HTTP/1.1\r\nHost: localhost\r\n' +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
    'Expect: 100-continue\r\n\r\n';
  const wires = Array.from({ length: WORKERS * 2 }, () => openWire(crew.url));
  try {
    for (const wire of wires) {
      wire.write(head);
      // Whoever was told to go on is being served.
      await wire.says(/^HTTP\/1\.1 (100|429) /);
    }
    crew.child.kill('SIGTERM');
    await crew.says(/servery: stopping/);
    for (const wire of wires) {
      wire.write(body);
      await wire.says(/^HTTP\/1\.1 (200|429) /m);
    }
  } finally {
    // A worker waits for what is under way.
    for (const wire of wires) wire.close();
  }
  assert.equal(await inTime(crew.ended, 'the end'), 0, crew.output());
  assert.deepEqual(await crew.workers(), []);
});
