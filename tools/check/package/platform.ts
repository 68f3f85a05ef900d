import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import type { DemoFile } from '@servery/server';
import { sleep } from '@servery/support/timer.ts';
import { environmentOf, type Place, succeed } from './account.ts';

/** What is published, not its sources. */
const WEBHOOKS = new URL('../../../dist/webhooks/dist/index.js', import.meta.url).href;
const LARGE_MENU_ITEMS = 3_000;
const GONE_WITHIN_MS = 10_000;
const POLL_MS = 100;

const running = new Set<ChildProcess>();

export interface Started {
  readonly url: string;
  /** From the call of the command to the first 200. */
  readonly seconds: number;
  stop(): Promise<void>;
}

/** Starts the platform of the folder, as in a shell, and waits until it can serve. */
export async function startPlatform(
  place: Place,
  servery: readonly string[],
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const [program = '', ...args] = [...servery, 'start', '--port', '0', ...flags];
  const beganMs = performance.now();
  const child = spawn(program, args, {
    ...place.account.identity,
    cwd: place.folder,
    env: { ...environmentOf(place), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own.
    detached: true,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    said += piece;
  });
  running.add(child);
  const closed = once(child, 'close').finally(() => running.delete(child));
  const url = await addressOf(child);
  if (!url) throw new Error(`${[program, ...args].join(' ')} did not start:\n${said}`);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  const seconds = (performance.now() - beganMs) / 1000;
  const stop = async () => {
    interrupt(child);
    const [code, signal] = await closed;
    // npm itself dies of the signal.
    const isInOrder = code === 0 || code === 130 || signal === 'SIGINT';
    assert.ok(isInOrder, `the stopped server ended with ${code}:\n${said}`);
    await allGone(place.folder);
  };
  return { url, seconds, stop };
}

/** Null if it ends before. Its log is read as long as it runs. */
async function addressOf({ stdout }: ChildProcess): Promise<string | null> {
  const found = Promise.withResolvers<string | null>();
  let said = '';
  stdout?.setEncoding('utf8').on('data', (piece: string) => {
    said += piece;
    const url = /^servery ready (\S+)$/m.exec(said)?.[1];
    if (url) found.resolve(url);
  });
  stdout?.on('close', () => found.resolve(null));
  return await found.promise;
}

/** Stops what a failed check has left. */
export async function stopAll(): Promise<void> {
  for (const child of running) {
    interrupt(child);
    await once(child, 'close');
  }
}

/** Ctrl-C, which a terminal sends to npm and to what npm has started. */
function interrupt({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGINT');
}

/** Throws an Error if a process that works in the folder stays. */
export async function allGone(folder: string): Promise<void> {
  const untilMs = performance.now() + GONE_WITHIN_MS;
  let left = processesIn(folder);
  while (left.length > 0 && performance.now() < untilMs) {
    await sleep(POLL_MS);
    left = processesIn(folder);
  }
  assert.deepEqual(left, [], `processes are left in ${folder}`);
}

function processesIn(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const isIn =
          command.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
        return isIn ? [`${pid} ${command}`] : [];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}

interface Caller {
  readonly url: string;
  readonly demo: DemoFile;
  readonly headers: Readonly<Record<string, string>>;
}

/** A partner who has logged in. */
export async function logIn({ folder }: Place, url: string): Promise<Caller> {
  const demo: DemoFile = JSON.parse(
    await readFile(path.join(folder, '.servery/demo.json'), 'utf8'),
  );
  const login = await fetch(`${url}/authentication/v1/authentication/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(demo.clients.partner),
  });
  assert.equal(login.status, 200);
  const { token } = (await login.json()) as { token: { accessToken: string } };
  const headers = {
    authorization: `Bearer ${token.accessToken}`,
    'platform-restaurant-external-id': demo.restaurants[0]?.guid ?? '',
  };
  return { url, demo, headers };
}

/** Calls each interface, the documents and the console. Throws an Error for what isn't a 200. */
export async function callInterfaces({ url, demo, headers }: Caller): Promise<void> {
  const restaurant = demo.restaurants[0]?.guid;
  const day = { startDate: '2026-01-01T00:00:00.000Z', endDate: '2026-01-01T00:30:00.000Z' };
  const paths = [
    '/config/v2/menus',
    '/menus/v2/menus',
    `/orders/v2/ordersBulk?${new URLSearchParams(day)}`,
    '/partners/v1/connectedRestaurants',
    `/restaurants/v1/restaurants/${restaurant}`,
    '/stock/v1/inventory',
    '/platform/v1/whoami',
    '/openapi/orders.json',
    '/console/',
  ];
  for (const each of paths) {
    const { status } = await fetch(url + each, { headers });
    assert.equal(status, 200, each);
  }
  const page = await (await fetch(`${url}/console/`)).text();
  const scripts = [...page.matchAll(/src="\.\/([^"]+)"/g)].map(([, file = '']) => file);
  assert.ok(scripts.length > 0, 'the console’s first page has a script');
  for (const file of scripts) {
    assert.equal((await fetch(`${url}/console/${file}`)).status, 200, file);
  }
}

/** A payment goes through the processor's simulator, which is a process of its own. */
export async function authorize(
  place: Place,
  servery: readonly string[],
  { url, demo, headers }: Caller,
): Promise<void> {
  const encrypt = ['encrypt', '--card', '4111111111111111', '--amount', '12.50'];
  const body = await succeed(place, [...servery, ...encrypt]);
  const merchant = demo.restaurants[0]?.guid;
  const answer = await fetch(`${url}/ccpartner/v1/merchants/${merchant}/payments/${randomUUID()}`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  assert.equal(answer.status, 200);
  const { paymentState } = (await answer.json()) as { paymentState: string };
  assert.equal(paymentState, 'AUTHORIZED');
}

/** Publishes so much that it is examined in a thread. */
export async function publishLarge(place: Place, servery: readonly string[]): Promise<void> {
  const file = path.join(place.folder, 'menu.json');
  await succeed(place, [...servery, 'config', 'export', '--out', file]);
  const document = JSON.parse(await readFile(file, 'utf8'));
  const dishes = Array.from({ length: LARGE_MENU_ITEMS }, (_, at) => ({ name: `Dish ${at}` }));
  document.configuration.menuItems.push(...dishes);
  await writeFile(file, JSON.stringify(document));
  await succeed(place, [...servery, 'config', 'apply', file]);
  // Only what is published has a stock.
  await succeed(place, [...servery, 'stock', 'set', `Dish ${LARGE_MENU_ITEMS - 1}`, 'out']);
}

/** Has an event posted, and checks its signature. */
export async function receiveWebhook(place: Place, servery: readonly string[]): Promise<void> {
  const received = Promise.withResolvers<{ headers: object; body: Buffer }>();
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.writeHead(204).end();
    received.resolve({ headers: request.headers, body: Buffer.concat(chunks) });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as { port: number };
  const create = ['webhooks', 'create', `http://127.0.0.1:${port}/`, '--client', 'partner'];
  const created = JSON.parse(await succeed(place, [...servery, ...create, '--json']));
  await succeed(place, [...servery, 'stock', 'set', 'Apple Slices', 'out']);
  const { headers, body } = await received.promise;
  receiver.close();
  receiver.closeAllConnections();
  const secrets = [created.secret];
  const { verify }: typeof import('@servery/webhooks') = await import(WEBHOOKS);
  const verdict = verify({ headers: headers as Record<string, string>, body, secrets });
  assert.ok(verdict.isValid, JSON.stringify(verdict));
}
