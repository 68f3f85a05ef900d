import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { DemoCallers } from '../../../acceptance/src/client.ts';
import {
  RAISED_LIMITS,
  type StartedPlatform,
  startPlatform,
} from '../../../acceptance/src/platform.ts';
import {
  DESK,
  findBarriers,
  findWide,
  openBrowser,
  openPage,
  openProxy,
  PHONE,
  type View,
  type Watched,
} from './browser.ts';

/** The platform and the browser of all test files of a process. */
export interface Console {
  readonly platform: StartedPlatform;
  readonly callers: DemoCallers;
  readonly browser: Browser;
  /** The platform below a path prefix. */
  readonly proxied: string;
  close(): Promise<void>;
}

type SignedInState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** What the buttons say that sign a demo person in. */
export const labels = {
  OPERATOR: /^Operator/,
  GROUP_ADMINISTRATOR: /^Group administrator/,
  RESTAURANT_ADMINISTRATOR: /^Restaurant administrator/,
  READ_ONLY: /^Read only/,
  PARTNER_DEVELOPER: /^Partner developer/,
} as const;

export type Role = keyof typeof labels;

const PREFIX = '/at/the/door';

let users = 0;
let opened: Promise<Console> | null = null;
/** What a browser keeps of each person who has signed in, by role and base address. */
const states = new Map<string, SignedInState>();
/** Pages that a test has finished with, by person, base address and view: opening one is most of the work. */
const left = new Map<string, SignedIn>();

/**
 * Gives a test file the console, from its first hook on. Files that run in one process share it: the
 * last one closes it. Data that a test changes is its own: an item, a payment, a restaurant.
 */
export function useConsole(): () => Console {
  let there: Console | null = null;
  users += 1;
  before(async () => {
    opened ??= openConsole();
    there = await opened;
  });
  after(async () => {
    users -= 1;
    if (users === 0) await there?.close();
  });
  return () => {
    assert.ok(there, 'the console is there from the first hook on');
    return there;
  };
}

async function openConsole(): Promise<Console> {
  // First: without one, nothing is to be left behind.
  const browser = await openBrowser();
  const platform = await startPlatform({ settings: RAISED_LIMITS });
  const proxy = await openProxy(platform.baseUrl, PREFIX);
  return {
    ...{ platform, browser, callers: new DemoCallers(platform), proxied: proxy.url },
    async close() {
      await browser.close();
      await proxy.close();
      await platform.stop();
    },
  };
}

/** The first restaurant of the demo, where the restaurant administrator works. */
export function wren({ platform }: Console): { readonly guid: string; readonly name: string } {
  const found = platform.demo.restaurants.find(({ name }) => name === 'The Early Wren');
  assert.ok(found);
  return found;
}

/** Somebody's page of the console. */
export interface SignedIn extends Watched {
  readonly place: string;
  /** Opens an address of the console; on an open page as a link does, with an empty page in between. */
  readonly visit: (address: string) => Promise<void>;
}

/** A page as the demo person with this role: a new one, or one with nothing on it that a test has left. */
export async function signedIn(
  { browser }: Console,
  role: Role,
  base: string,
  view: View = DESK,
): Promise<SignedIn> {
  const place = JSON.stringify([role, base, view]);
  const free = left.get(place);
  left.delete(place);
  if (free && !free.page.isClosed()) return free;
  const key = `${role} ${base}`;
  const start = `${base}/console/`;
  const watched = await openPage(browser, view, states.get(key));
  const { page, context } = watched;
  if (!states.has(key)) {
    await page.goto(start);
    await page.getByRole('button', { name: labels[role] }).click();
    await page.getByRole('navigation').waitFor();
    states.set(key, await context.storageState());
  }
  const visit = async (address: string) => {
    const { href } = new URL(address, start);
    if (page.url().startsWith(start)) await goWithin(page, [`${start}nothing/here`, href]);
    else await page.goto(href);
  };
  return { ...watched, place, visit };
}

/** As the browser goes back and forth: the page is not loaded again, which is most of the work. */
async function goWithin(page: Page, addresses: readonly string[]): Promise<void> {
  await page.evaluate(`(async () => {
    for (const address of ${JSON.stringify(addresses)}) {
      history.pushState(null, '', address);
      dispatchEvent(new PopStateEvent('popstate'));
      // Until it is drawn.
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
  })()`);
}

/** Nothing may have gone wrong unseen, and nobody may be kept out. */
export async function check({ page, faults }: Watched): Promise<void> {
  // Until then, a page is on its way.
  await page.locator('h1').first().waitFor();
  // A path prefix changes nothing that the checker sees.
  const isProxied = page.url().includes(PREFIX);
  const barriers = isProxied ? [] : await findBarriers(page);
  const wide = await findWide(page);
  assert.deepEqual(barriers, [], 'the accessibility checker finds nothing');
  assert.deepEqual(faults, [], 'the browser has nothing to complain about');
  assert.deepEqual(wide, [], 'nothing makes the page wider than the window');
}

/** Checks a page, and leaves it to the next test. */
export async function finish(watched: Watched | SignedIn): Promise<void> {
  const { page, context } = watched;
  await check(watched);
  // A response that a test changes may be under way.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  if (!('visit' in watched) || left.has(watched.place)) return await context.close();
  await context.clearPermissions();
  await watched.visit('nothing/here');
  await page.evaluate(`for (const said of document.querySelectorAll('.toast > :last-child')) said.click();
    localStorage.clear();
    sessionStorage.clear();`);
  left.set(watched.place, watched);
}

/** Each screen's main task: in these places and in these ways. A click on a phone is the mouse's too. */
export const ways = [
  {
    name: 'by keyboard alone, under a path prefix',
    view: DESK,
    isProxied: true,
    isByKeyboard: true,
  },
  { name: 'by mouse, at 360 px', view: PHONE, isProxied: false, isByKeyboard: false },
] as const;

export type Way = (typeof ways)[number];

export function baseOf({ isProxied }: Way, { platform, proxied }: Console): string {
  return isProxied ? proxied : platform.baseUrl;
}

/** Presses what has the name: a click, or the focus and Enter. */
export async function press(
  way: Way,
  place: Page | Locator,
  role: 'button' | 'link',
  name: string | RegExp,
) {
  const target = place.getByRole(role, { name }).first();
  if (!way.isByKeyboard) return await target.click();
  const page = target.page();
  await target.waitFor();
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Walks by Tab as a person would; what Tab doesn't reach, a keyboard can't. */
export async function tabTo(page: Page, target: ReturnType<Page['getByRole']>) {
  for (let steps = 0; steps < 200; steps += 1) {
    const isThere = await target.evaluate(isFocused);
    if (isThere) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not reach ${target}`);
}

/** Runs in the page. */
function isFocused(node: unknown): boolean {
  const { ownerDocument } = node as { readonly ownerDocument: { readonly activeElement: unknown } };
  return ownerDocument.activeElement === node;
}
