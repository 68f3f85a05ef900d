/**
 * Measures how fast the console is where there is much: `npm run console-speed`. A real browser opens the
 * payments of a platform with very many, and works with a menu of 50,000 items.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readArguments, readOrEnd, wholeNumber } from '../../bench/src/command-line.ts';
import { DESK, openBrowser, openPage, type Page } from '../../packages/console/test/browser.ts';
import {
  type SpawnedPlatform,
  spawnPlatform,
} from '../../packages/server/test/payments/hunt/spawned-platform.ts';

const line = {
  command: 'npm run console-speed',
  about:
    'Opens the payments of a platform with very many in a browser and says when the first rows ' +
    'are drawn, and then works with a menu of 50,000 items and says how long the page was busy.',
  words: null,
  flags: {
    payments: wholeNumber('payments of the platform', 100_000, 1_000),
    rounds: wholeNumber('how often the list of payments is opened', 10, 1),
  },
};
const { payments, rounds } = readOrEnd(() => readArguments(line, process.argv.slice(2))).values;

const FIRST_ROWS_GOAL_MS = 500;
const BUSY_GOAL_MS = 100;
const FILL = fileURLToPath(new URL('fill.ts', import.meta.url));
const LIMITS = ['--rate-limit-per-second', '100000', '--rate-limit-per-quarter-hour', '10000000'];
const WHEEL_TURNS = 30;

/** Notes when the first row was drawn, and each task that kept the page busy. */
const WATCH = `
  window.tasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  window.firstRowMs = new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('tr[data-row]')) resolve(performance.now());
      else requestAnimationFrame(look);
    };
    look();
  });`;

type SignedIn = Awaited<ReturnType<typeof signIn>>;

const browser = await openBrowser();
try {
  await onPlatform('demo', measureFirstRows);
  await onPlatform('huge', measureBusy);
} finally {
  await browser.close();
}

async function onPlatform(
  profile: 'demo' | 'huge',
  measure: (platform: SpawnedPlatform) => Promise<void>,
): Promise<void> {
  const platform = await spawnPlatform(['--profile', profile, ...LIMITS]);
  try {
    await measure(platform);
  } finally {
    await platform.end();
    await platform.remove();
  }
}

async function measureFirstRows(platform: SpawnedPlatform): Promise<void> {
  const size = ['--restaurants', '100', '--applied', String(payments)];
  const place = ['--data-dir', platform.dataDir];
  await promisify(execFile)(process.execPath, [FILL, ...size, ...place]);
  const state = await signIn(platform);
  for (const [name, query] of [
    ['all payments', ''],
    ['by state', '?state=APPLIED'],
    ['by card', '?last4=1111'],
    ['by amount', '?amount=23.50'],
  ] as const) {
    const firstRowsMs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const page = await openWatched(state);
      await page.goto(`${platform.url}/console/payments${query}`);
      firstRowsMs.push((await page.evaluate('firstRowMs')) as number);
      await page.context().close();
    }
    tell(`first rows of ${payments} payments, ${name}`, firstRowsMs, FIRST_ROWS_GOAL_MS);
  }
  const page = await openWatched(state);
  await page.goto(`${platform.url}/console/payments`);
  await page.locator('tr[data-row]').first().waitFor();
  await tellBusy(page, 'scrolling the payments', () => scroll(page, 'table'));
}

async function measureBusy(platform: SpawnedPlatform): Promise<void> {
  const page = await openWatched(await signIn(platform));
  const restaurant = platform.demo.restaurants[0]?.guid;
  const row = page.getByRole('treeitem');
  await page.goto(`${platform.url}/console/menus?restaurant=${restaurant}&list=menuItems`);
  await row.first().waitFor();
  await tellBusy(page, 'scrolling 50,000 items', () => scroll(page, '[role=tree]'));
  await tellBusy(page, 'finding items', async () => {
    await page.getByLabel('Find').pressSequentially('Roasted Salmon with K');
    await row.filter({ hasText: 'Roasted Salmon with Kale' }).waitFor();
  });
  const name = page.getByLabel('Name', { exact: true });
  await tellBusy(page, 'opening an item', async () => {
    await row.first().click();
    await name.waitFor();
  });
  await tellBusy(page, 'editing a field', () => name.pressSequentially(' and Lemon'));
  await tellBusy(page, 'saving a draft', async () => {
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Saved as a draft').waitFor();
  });
  await tellBusy(page, 'the preview for partners', async () => {
    await page.getByRole('tab', { name: /^Drafts/ }).click();
    await page.getByText('As partners will see it').first().waitFor();
  });
  await tellBusy(page, 'the preview for guests', async () => {
    await page.getByRole('tab', { name: 'Guest view' }).click();
    await page.locator('.guests-item').first().waitFor();
  });
  await tellBusy(page, 'scrolling the preview for guests', () => scroll(page, '.guests-item'));
  await page.goto(`${platform.url}/console/stock?restaurant=${restaurant}`);
  await page.locator('.tile').first().waitFor();
  await tellBusy(page, 'scrolling the stock', () => scroll(page, '.tile'));
}

async function signIn({ url }: SpawnedPlatform) {
  const { page, context } = await openPage(browser, DESK);
  await page.goto(`${url}/console/`);
  await page.getByRole('button', { name: /^Operator/ }).click();
  await page.getByRole('navigation').waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

/** A browser that was never here: nothing of the page is in its cache. */
async function openWatched(state: SignedIn): Promise<Page> {
  const { page, context } = await openPage(browser, DESK, state);
  await context.addInitScript(WATCH);
  return page;
}

async function scroll(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().hover();
  for (let turn = 0; turn < WHEEL_TURNS; turn += 1) {
    await page.mouse.wheel(0, 2_000);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
}

/** Says how long the longest task of the page took while somebody did this. */
async function tellBusy(page: Page, name: string, act: () => Promise<void>): Promise<void> {
  await page.evaluate('tasks.length = 0');
  await act();
  // The observer tells of a task after the next frame.
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestIdleCallback(done)))',
  );
  const tasksMs = (await page.evaluate('tasks')) as number[];
  tell(`${name}: ${tasksMs.length} tasks over 50 ms`, tasksMs, BUSY_GOAL_MS);
}

function tell(name: string, timesMs: readonly number[], goalMs: number): void {
  const sorted = timesMs.toSorted((one, other) => one - other);
  const [middle, longest] = [sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0];
  const isMet = longest <= goalMs;
  if (!isMet) process.exitCode = 1;
  const verdict = `goal ${goalMs} ms: ${isMet ? 'met' : 'missed'}`;
  console.log(`${name}: p50 ${middle.toFixed(0)}, at most ${longest.toFixed(0)} ms (${verdict})`);
}
