import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { ClockMove, ClockStatus } from '@servery/contract';
import { sleep } from '@servery/support/timer.ts';
import { makeTestFolder, removeTestFolder } from '../../../postgres/test/test-folder.ts';
import { type Platform, start } from '../../src/boot/server.ts';
import { readConfig } from '../../src/config/config.ts';
import type { DemoFile } from '../../src/sandbox/demo-file.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const DAY_S = 86_400;
const CLOCK = '/backoffice/v1/clock';
/** Whatever takes longer never comes, on the slowest machine. */
const LONGEST_WAIT_MS = 180_000;

let own: TestDatabase;
let folder: string;
let demo: DemoFile;
const platforms: Platform[] = [];
/** Two processes' worth of servers on one database. */
before(async () => {
  own = await createTestDatabase();
  folder = await makeTestFolder();
  await startServers(2);
});
after(async () => {
  for (const platform of platforms) await platform.stop();
  await own.drop();
  removeTestFolder(folder);
});

async function startServers(count: number): Promise<void> {
  const settings = {
    DATABASE_URL: own.url,
    SERVERY_DATA_DIR: folder,
    SERVERY_PORT: '0',
    SERVERY_PROFILE: 'empty',
    SERVERY_PROCESSOR: 'in-process',
    SERVERY_LOG_LEVEL: 'silent',
    // Whoever asks again and again is refused for a second, and never for a quarter of an hour.
    SERVERY_RATE_LIMIT_PER_QUARTER_HOUR: '1000000',
  };
  while (platforms.length < count) platforms.push(await start(readConfig(settings, [])));
  demo = JSON.parse(await readFile(path.join(folder, 'demo.json'), 'utf8'));
}

/** Sends a request to one of the two, again and again while its budget is used up. */
async function send(server: number, place: string, init: RequestInit): Promise<Response> {
  const startedMs = performance.now();
  for (;;) {
    const response = await fetch(`${platforms[server]?.url}${place}`, init);
    if (response.status !== 429) return response;
    assert.ok(performance.now() - startedMs < LONGEST_WAIT_MS, 'the budget never came back');
    await sleep(50);
  }
}

/** A token of the operator, unless of another account, from one of the two. */
async function logIn(
  server = 0,
  account: 'operator' | 'partner' = 'operator',
): Promise<{ accessToken: string; expiresIn: number }> {
  const { clientId, clientSecret, userAccessType } = demo.clients[account];
  const response = await send(server, '/authentication/v1/authentication/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret, userAccessType }),
  });
  assert.equal(response.status, 200);
  return ((await response.json()) as { token: Awaited<ReturnType<typeof logIn>> }).token;
}

async function answerOf(server: number): Promise<Response> {
  const authorization = `Bearer ${(await logIn(server)).accessToken}`;
  return await send(server, CLOCK, { headers: { authorization } });
}

async function status(server: number): Promise<ClockStatus> {
  const response = await answerOf(server);
  assert.equal(response.status, 200);
  return (await response.json()) as ClockStatus;
}

async function move(name: string, body?: object): Promise<ClockMove> {
  const response = await send(0, `${CLOCK}/${name}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${(await logIn()).accessToken}`,
      'content-type': 'application/json',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as ClockMove;
}

/** Waits until it is so; gives how long it took in milliseconds. */
async function until(isSo: () => Promise<boolean>, what: string): Promise<number> {
  const startedMs = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - startedMs < LONGEST_WAIT_MS, what);
    await sleep(50);
  }
  return performance.now() - startedMs;
}

/** How far the clock is ahead of real time, from the best of some looks. */
async function aheadMs(): Promise<number> {
  const looks: number[] = [];
  for (let look = 0; look < 5; look += 1) {
    const { now, realNow } = await status(0);
    looks.push(Date.parse(now) - Date.parse(realNow));
  }
  // Both times of an answer are read one after the other: a process that is held up between them
  // tells of less.
  return Math.max(...looks);
}

/** The first request that is refused, of as many at once as no second has room for. */
async function findRefused(accessToken: string): Promise<Response> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const startedMs = performance.now();
  for (;;) {
    const burst = Array.from({ length: 60 }, () =>
      fetch(`${platforms[0]?.url}${CLOCK}`, { headers }),
    );
    const refused = (await Promise.all(burst)).find((response) => response.status === 429);
    // A process that is held up again and again serves them in as many seconds as they need.
    if (refused) return refused;
    assert.ok(performance.now() - startedMs < LONGEST_WAIT_MS, 'nobody was ever refused');
  }
}

test('clock: a frozen clock stands in all processes, and budgets go on in real time', async () => {
  await move('freeze');
  const { clock } = await move('set', { now: '2031-05-05T05:05:05.005Z' });
  assert.equal(clock.now, '2031-05-05T05:05:05.005Z');
  // The other one follows within a second; until then it takes its own time for tokens.
  await until(async () => (await answerOf(1)).status === 200, 'the other never followed');
  const answers = await Promise.all([0, 1].map((server) => status(server)));
  for (const { now, mode } of answers) assert.deepEqual([now, mode], [clock.now, 'FROZEN']);
  // A clock-aligned second has 20 requests for an address, and the next one has others.
  const refused = await findRefused((await logIn()).accessToken);
  assert.equal(refused.headers.get('retry-after'), '1');
  const realNowMs = Date.parse(answers[0]?.realNow ?? '');
  const resetMs = Number(refused.headers.get('x-platform-ratelimit-reset')) * 1000;
  assert.ok(Math.abs(resetMs - realNowMs) < DAY_S * 1000, `${resetMs} is not about ${realNowMs}`);
  assert.equal((await status(0)).now, clock.now);
});

test('clock: another process follows a move by itself', async (t) => {
  // Each of the two is an issuer of its own here: of an account that logs in at both, the token of
  // one replaces that of the other.
  const before = (await logIn(1, 'partner')).expiresIn;
  await move('advance', { duration: 'PT1H' });
  // A repeated login tells what is left of the same token by the clock of its process (AUTH-3).
  const tookMs = await until(
    async () => (await logIn(1, 'partner')).expiresIn === before - 3_600,
    'the other process never followed',
  );
  t.diagnostic(`followed after ${Math.round(tookMs)} ms`);
});

test('clock AUTH-3: tokens live by the environment’s clock, forward and back', async () => {
  const old = await logIn();
  await move('advance', { duration: `PT${2 * DAY_S}S` });
  const authorization = `Bearer ${old.accessToken}`;
  assert.equal((await send(0, CLOCK, { headers: { authorization } })).status, 401);
  const fresh = await logIn();
  const { now } = await status(0);
  assert.equal(fresh.expiresIn, DAY_S);
  const [, claims = ''] = fresh.accessToken.split('.');
  const { iat } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  assert.equal(iat, Math.floor(Date.parse(now) / 1000));
  await move('set', { now: '2024-02-29T00:00:00Z' });
  assert.equal((await status(0)).now, '2024-02-29T00:00:00.000Z');
  // Far enough for the signing key to have had several successors.
  await move('advance', { duration: 'P3Y' });
  assert.equal((await status(0)).now, '2027-02-28T00:00:00.000Z');
});

test('clock: a restart finds it where it stood, and running where it would be', async () => {
  await move('set', { now: '2040-01-01T00:00:00Z' });
  for (const platform of platforms.splice(0)) await platform.stop();
  await startServers(1);
  assert.deepEqual(await status(0).then(({ now, mode }) => [now, mode]), [
    '2040-01-01T00:00:00.000Z',
    'FROZEN',
  ]);
  await move('run');
  const before = await aheadMs();
  for (const platform of platforms.splice(0)) await platform.stop();
  await startServers(1);
  assert.ok(Math.abs((await aheadMs()) - before) < 1_000);
});
