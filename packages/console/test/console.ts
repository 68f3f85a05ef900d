import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Browser, BrowserContext, ElementHandle, Locator, Page } from 'playwright-core';
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

/** Where the console is: for a phone, under a path prefix. */
export function baseOf({ platform, proxied }: Console, view: View): string {
  return view === PHONE ? proxied : platform.baseUrl;
}

/** A page as the demo person with this role: a new one, or one with nothing on it that a test has left. */
export async function signedIn(there: Console, role: Role, view: View = DESK): Promise<SignedIn> {
  const base = baseOf(there, view);
  const place = JSON.stringify([role, view]);
  const free = left.get(place);
  left.delete(place);
  if (free && !free.page.isClosed()) return free;
  const key = `${role} ${base}`;
  const start = `${base}/console/`;
  const watched = await openPage(there.browser, view, states.get(key));
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
export async function goWithin(page: Page, addresses: readonly string[]): Promise<void> {
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
  const barriers = await findBarriers(page);
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

/** How each screen's main task is walked. Other tests click on a desk, so the mouse walks it by command only. */
export const way =
  process.env.SERVERY_CONSOLE_WAY === 'mouse'
    ? { name: 'by mouse', view: DESK, isByKeyboard: false }
    : {
        name: 'by keyboard alone, at 360 px, under a path prefix',
        view: PHONE,
        isByKeyboard: true,
      };

/** Presses what has the name. */
export async function press(place: Page | Locator, role: 'button' | 'link', name: string | RegExp) {
  await pressOn(place.getByRole(role, { name }).first());
}

/** A click, or the focus and a key. */
export async function pressOn(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  if (!way.isByKeyboard) return await target.click();
  await tabTo(target);
  // A finger would reach it, too: nothing lies over it.
  await target.click({ trial: true });
  await target.page().keyboard.press(key);
}

/** Fills a field as a person would. */
export async function type(field: Locator, text: string): Promise<void> {
  if (!way.isByKeyboard) return await field.fill(text);
  await tabTo(field);
  await field.page().keyboard.press('ControlOrMeta+A');
  await field.page().keyboard.type(text);
}

/** Walks by Tab as a person would; what Tab doesn't reach, a keyboard can't. */
export async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  let node: ElementHandle | null = null;
  for (let steps = 0; steps < 200; steps += 1) {
    const isThere = await node?.evaluate(isFocused);
    if (isThere) return;
    // To look for a name again at each step is most of the work.
    if (isThere === false) await target.page().keyboard.press('Tab');
    else node = await target.elementHandle();
  }
  assert.fail(`Tab does not reach ${target}`);
}

/** Runs in the page: null if the node has been replaced. */
function isFocused(node: unknown): boolean | null {
  const { isConnected, ownerDocument } = node as {
    readonly isConnected: boolean;
    readonly ownerDocument: { readonly activeElement: unknown };
  };
  return isConnected ? ownerDocument.activeElement === node : null;
}
