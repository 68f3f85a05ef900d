/**
 * Has a page of the console follow the stock of a restaurant through the hardships of a day, and compares
 * what it shows with what the platform has: `npm run console-day -- --updates 10000`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { monotonicMs } from '@servery/support/clock.ts';
import { sleep } from '@servery/support/timer.ts';
import { readArguments, readOrEnd, wholeNumber } from '../../bench/src/command-line.ts';
import {
  type CDPSession,
  DESK,
  openBrowser,
  openPage,
  type Page,
} from '../../packages/console/test/browser.ts';
import {
  logIn,
  type SpawnedPlatform,
  spawnPlatform,
} from '../../packages/server/test/payments/hunt/spawned-platform.ts';
import { programFile } from '../../packages/support/test/program.ts';

const line = {
  command: 'npm run console-day',
  about:
    'Has a page of the console follow the stock of a restaurant while its network, its sleep and ' +
    'the server come and go, and compares what it shows with what the platform has.',
  words: null,
  flags: { updates: wholeNumber('how many changes of stock', 10_000, 100) },
};
const { updates } = readOrEnd(() => readArguments(line, process.argv.slice(2))).values;

const CHANGED_AT_ONCE = 10;
/** Changes between two hardships. */
const STRETCH = 200;
const PAUSE_MS = 50;
const AGREE_LIMIT_MS = 60_000;
const LOOK_MS = 250;
const MEBIBYTE = 2 ** 20;
const LIMITS = ['--rate-limit-per-second', '100000', '--rate-limit-per-quarter-hour', '10000000'];

interface Shown {
  readonly name: string;
  readonly state: string;
}

/** The server of the platform, which can be ended and started again at its address. */
class Restarted {
  readonly #platform: SpawnedPlatform;
  #child: ChildProcess | null = null;

  constructor(platform: SpawnedPlatform) {
    this.#platform = platform;
  }

  async restart(): Promise<void> {
    await this.end();
    const { url, dataDir } = this.#platform;
    const place = ['--port', new URL(url).port, '--data-dir', dataDir];
    const args = [programFile('packages/server/src/main.ts'), ...place, '--profile', 'demo'];
    const child = spawn(process.execPath, [...args, ...LIMITS], { stdio: 'ignore' });
    this.#child = child;
    for (let isReady = false; !isReady; ) {
      await sleep(LOOK_MS);
      if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
      isReady = await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    }
  }

  async end(): Promise<void> {
    const child = this.#child;
    if (!child) return await this.#platform.endServer();
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  }
}

const platform = await spawnPlatform(['--profile', 'demo', ...LIMITS]);
const server = new Restarted(platform);
const browser = await openBrowser();
try {
  await followADay();
} finally {
  await browser.close();
  await server.end();
  await platform.remove();
}

async function followADay(): Promise<void> {
  const restaurant = platform.demo.restaurants[0]?.guid ?? '';
  const stockUrl = `${platform.url}/backoffice/v1/restaurants/${restaurant}/stock`;
  const authorization = `Bearer ${await logIn(platform, platform.demo.clients.operator)}`;
  const headers = { authorization, 'content-type': 'application/json' };

  const { page, context } = await openPage(browser, DESK);
  await page.goto(`${platform.url}/console/`);
  await page.getByRole('button', { name: /^Operator/ }).click();
  await page.getByRole('navigation').waitFor();
  // A filter that every item fits shows each of them once.
  await page.goto(`${platform.url}/console/stock?restaurant=${restaurant}&find=+`);
  await page.locator('.tile').first().waitFor();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');

  const there = async (): Promise<readonly Item[]> => {
    const items: Item[] = [];
    for (let token: string | null = ''; token !== null; ) {
      const next: string = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`;
      const response = await fetch(`${stockUrl}?pageSize=200${next}`, { headers });
      if (!response.ok) throw new Error(`the stock was answered with ${response.status}`);
      const body = (await response.json()) as StockPage;
      items.push(...body.results);
      token = body.nextPageToken;
    }
    return items;
  };
  const change = async (changes: readonly object[]) => {
    const response = await fetch(stockUrl, {
      ...{ method: 'POST', headers, body: JSON.stringify({ changes }) },
    });
    if (!response.ok) throw new Error(`a change was answered with ${response.status}`);
  };

  const items = await there();
  let done = 0;
  const changeMany = async (count: number) => {
    const end = Math.min(done + count, updates);
    for (; done < end; done += CHANGED_AT_ONCE) {
      const some = Array.from({ length: CHANGED_AT_ONCE }, (_, index) => done + index);
      await change(some.map((number) => settingOf(items[number % items.length], number)));
      await sleep(PAUSE_MS);
    }
  };

  /** Compares the page with the platform, once it says that it is live. */
  const agree = async (after: string) => {
    const expected = (await there()).map(({ name, status, quantity }) => ({
      name,
      state: wordsOf(status, quantity),
    }));
    const wanted = sorted(expected);
    const limitAt = monotonicMs() + AGREE_LIMIT_MS;
    for (;;) {
      const shown = sorted(await tilesOf(page));
      const differing = wanted.filter((text, index) => text !== shown[index]);
      if (differing.length === 0 && shown.length === wanted.length) return wanted.length;
      if (monotonicMs() > limitAt) {
        throw new Error(`after ${after}: ${differing.length} tiles differ: ${differing[0]}`);
      }
      await sleep(LOOK_MS);
    }
  };

  const hardships: Readonly<Record<string, () => Promise<void>>> = {
    'a network that drops': async () => {
      await context.setOffline(true);
      await changeMany(STRETCH);
      await context.setOffline(false);
    },
    sleep: async () => {
      await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
      await changeMany(STRETCH);
      await devtools.send('Page.setWebLifecycleState', { state: 'active' });
    },
    'a restart of the server': async () => {
      await changeMany(STRETCH / 2);
      await server.restart();
      await changeMany(STRETCH / 2);
    },
    'a slow network': async () => {
      const slow = { offline: false, latency: 800, downloadThroughput: 30_000 };
      await devtools.send('Network.emulateNetworkConditions', {
        ...slow,
        uploadThroughput: 10_000,
      });
      await changeMany(STRETCH);
      const fast = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
      await devtools.send('Network.emulateNetworkConditions', fast);
    },
  };

  await changeMany(STRETCH);
  await agree('the beginning');
  const heapBefore = await heapOf(devtools);
  let compared = 0;
  const counts = new Map<string, number>();
  while (done < updates) {
    for (const [name, endure] of Object.entries(hardships)) {
      if (done >= updates) break;
      await endure();
      console.error(`${done} of ${updates}: ${name}`);
      compared += await agree(name);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const heapAfter = await heapOf(devtools);
  const endured = [...counts].map(([name, count]) => `${count} × ${name}`).join(', ');
  console.log(`${done} changes of stock: ${endured}`);
  console.log(`${compared} tiles compared with the platform: none was missed`);
  console.log(`heap of the page: ${heapBefore.toFixed(1)} MiB, then ${heapAfter.toFixed(1)} MiB`);
}

interface Item {
  readonly guid: string;
  readonly name: string;
  readonly status: string;
  readonly quantity: number | null;
}

interface StockPage {
  readonly results: readonly Item[];
  readonly nextPageToken: string | null;
}

function settingOf(item: Item | undefined, number: number): object {
  const guid = item?.guid;
  const turn = Math.floor(number / 7) % 3;
  if (turn === 0) return { guid, status: 'QUANTITY', quantity: (number % 90) + 1 };
  return { guid, status: turn === 1 ? 'OUT_OF_STOCK' : 'IN_STOCK' };
}

/** As a tile begins to say it: when an item comes back is not compared. */
function wordsOf(status: string, quantity: number | null): string {
  if (status === 'QUANTITY') return `${quantity} left`;
  return status === 'IN_STOCK' ? 'In stock' : 'Out';
}

async function tilesOf(page: Page): Promise<readonly Shown[]> {
  return (await page.evaluate(`[...document.querySelectorAll('.tile')].map((tile) => ({
    name: tile.querySelector('.name').textContent,
    state: tile.querySelector('.state').textContent.replace(/^Out until.*/, 'Out'),
  }))`)) as readonly Shown[];
}

function sorted(shown: readonly Shown[]): readonly string[] {
  return shown.map(({ name, state }) => `${name}: ${state}`).sort();
}

async function heapOf(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / MEBIBYTE;
}
