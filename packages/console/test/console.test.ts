import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { roleNames, scopesOfRole } from '@servery/contract/roles.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { payFor, readEvents } from '../../../acceptance/src/back-office.ts';
import { DemoCallers } from '../../../acceptance/src/client.ts';
import {
  RAISED_LIMITS,
  type StartedPlatform,
  startPlatform,
} from '../../../acceptance/src/platform.ts';
import {
  DESK,
  findBarriers,
  openBrowser,
  openPage,
  openProxy,
  PHONE,
  type View,
  type Watched,
} from './browser.ts';

let platform: StartedPlatform;
let callers: DemoCallers;
let browser: Browser;
let proxy: Awaited<ReturnType<typeof openProxy>>;

/** What a browser keeps of each person who has signed in, by role and base address. */
const states = new Map<string, Awaited<ReturnType<BrowserContext['storageState']>>>();

const labels = {
  OPERATOR: /^Operator/,
  GROUP_ADMINISTRATOR: /^Group administrator/,
  RESTAURANT_ADMINISTRATOR: /^Restaurant administrator/,
  READ_ONLY: /^Looking only/,
  PARTNER_DEVELOPER: /^Partner developer/,
} as const;

type Role = keyof typeof labels;

before(async () => {
  // First: without one, nothing is to be left behind.
  browser = await openBrowser();
  platform = await startPlatform({ settings: RAISED_LIMITS });
  callers = new DemoCallers(platform);
  proxy = await openProxy(platform.baseUrl, '/at/the/door');
});

after(async () => {
  await browser?.close();
  await proxy.close();
  await platform.stop();
});

/** The first restaurant of the demo, where the restaurant administrator works. */
function wren(): { readonly guid: string; readonly name: string } {
  const found = platform.demo.restaurants.find(({ name }) => name === 'The Early Wren');
  assert.ok(found);
  return found;
}

async function signedIn(role: Role, base: string, view: View = DESK): Promise<Watched> {
  const key = `${role} ${base}`;
  const watched = await openPage(browser, view, states.get(key));
  if (!states.has(key)) {
    await watched.page.goto(`${base}/console/`);
    await watched.page.getByRole('button', { name: labels[role] }).click();
    await watched.page.getByRole('navigation').waitFor();
    states.set(key, await watched.context.storageState());
  }
  return watched;
}

/** Nothing may have gone wrong unseen, and nobody may be kept out. */
async function finish({ page, context, faults }: Watched): Promise<void> {
  const barriers = await findBarriers(page);
  const width = (await page.evaluate(
    'document.documentElement.scrollWidth - innerWidth',
  )) as number;
  await context.close();
  assert.deepEqual(barriers, [], 'the accessibility checker finds nothing');
  assert.deepEqual(faults, [], 'the browser has nothing to complain about');
  assert.ok(width <= 0, `the page is ${width} pixels too wide`);
}

/** Each screen's main task: in these places and in these ways. */
const ways = [
  { name: 'by mouse', view: DESK, isProxied: false, isByKeyboard: false },
  {
    name: 'by keyboard alone, under a path prefix',
    view: DESK,
    isProxied: true,
    isByKeyboard: true,
  },
  { name: 'at 360 px', view: PHONE, isProxied: false, isByKeyboard: false },
] as const;

type Way = (typeof ways)[number];

const baseOf = ({ isProxied }: Way) => (isProxied ? proxy.url : platform.baseUrl);

/** Presses what has the name: a click, or the focus and Enter. */
async function press(way: Way, page: Page, role: 'button' | 'link', name: string | RegExp) {
  const target = page.getByRole(role, { name }).first();
  if (!way.isByKeyboard) return await target.click();
  await target.waitFor();
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Walks by Tab as a person would; what Tab doesn't reach, a keyboard can't. */
async function tabTo(page: Page, target: ReturnType<Page['getByRole']>) {
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

describe('sign in', () => {
  test('a wrong password is told, and what was typed stays', async () => {
    const watched = await openPage(browser, DESK);
    const { page, faults } = watched;
    await page.goto(`${platform.baseUrl}/console/stock?show=out`);
    await page.getByLabel('Email address').fill('operator@demo.example');
    await page.getByLabel('Password').fill('not this one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('password, or code is wrong').waitFor();
    assert.equal(await page.getByLabel('Email address').inputValue(), 'operator@demo.example');
    // The refusal itself, which the browser writes down.
    assert.match(faults.splice(0).join(), /401/);
    const operator = platform.demo.people.find(({ role }) => role === 'OPERATOR');
    await page.getByLabel('Password').fill(operator?.password ?? '');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Which restaurant?' }).waitFor();
    assert.match(page.url(), /stock\?show=out$/, 'the address that was asked for is kept');
    await finish(watched);
  });

  test('an ended session keeps the page, and goes on after signing in again', async () => {
    const watched = await openPage(browser, DESK);
    const { page, context, faults } = watched;
    await page.goto(`${platform.baseUrl}/console/stock?restaurant=${wren().guid}`);
    await page.getByRole('button', { name: labels.RESTAURANT_ADMINISTRATOR }).click();
    await page.getByLabel('Find an item').fill('rhubarb');
    await context.clearCookies();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    faults.splice(0);
    await page.getByRole('button', { name: labels.RESTAURANT_ADMINISTRATOR }).click();
    await page
      .getByRole('heading', { name: 'Your session has ended' })
      .waitFor({ state: 'hidden' });
    assert.equal(await page.getByLabel('Find an item').inputValue(), 'rhubarb');
    await page.getByText('Live', { exact: true }).waitFor();
    faults.splice(0);
    await finish(watched);
  });

  test('signing out leads to the sign-in page', async () => {
    const watched = await openPage(browser, PHONE);
    const { page } = watched;
    await page.goto(`${platform.baseUrl}/console/`);
    await page.getByRole('button', { name: labels.READ_ONLY }).click();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await finish(watched);
  });
});

describe('stock', () => {
  for (const way of ways) {
    test(`an item is out in two taps and back by undo, ${way.name}`, async () => {
      const watched = await signedIn('RESTAURANT_ADMINISTRATOR', baseOf(way), way.view);
      const { page } = watched;
      await page.goto(`${baseOf(way)}/console/stock?find=lemon+meringue`);
      await press(way, page, 'button', /Lemon Meringue Pie.*In stock/);
      await press(way, page, 'button', 'Out until close');
      await page
        .getByRole('button', { name: /Lemon Meringue Pie.*Out until/ })
        .first()
        .waitFor();
      await press(way, page, 'button', 'Undo');
      await page.getByRole('button', { name: /Lemon Meringue Pie.*In stock/ }).waitFor();
      await finish(watched);
    });
  }

  test('what others change appears by itself, and a quantity is asked for in words', async () => {
    const watched = await signedIn('GROUP_ADMINISTRATOR', platform.baseUrl);
    const { page } = watched;
    await page.goto(`${platform.baseUrl}/console/stock?restaurant=${wren().guid}&find=pecan+pie`);
    await page.getByRole('button', { name: /^Pecan Pie.*In stock/ }).waitFor();
    const params = { restaurantGuid: wren().guid };
    const changes = [{ name: 'Pecan Pie', status: 'QUANTITY', quantity: 3 }];
    await (await callers.as('operator')).call('backOffice.stock.set', 200, {
      params,
      json: { changes },
    });
    await page.getByRole('button', { name: /^Pecan Pie.*3 left/ }).click();
    await page.getByRole('button', { name: 'Only so many left' }).click();
    await page.getByLabel('How many are left').fill('-1');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await page.getByText('A number greater than 0.').waitFor();
    assert.equal(await page.getByLabel('How many are left').inputValue(), '-1');
    await page.getByLabel('How many are left').fill('2.5');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Pecan Pie.*2.5 left/ }).waitFor();
    await finish(watched);
  });

  test('a page without a network says that it is not live, and is live again after', async () => {
    const watched = await signedIn('READ_ONLY', platform.baseUrl);
    const { page, context, faults } = watched;
    await page.goto(`${platform.baseUrl}/console/stock?restaurant=${wren().guid}`);
    await page.getByText('Live', { exact: true }).waitFor();
    await context.setOffline(true);
    await page.getByText('Not live').waitFor();
    await page.getByText('The platform does not answer').waitFor();
    await context.setOffline(false);
    await page.getByText('Live', { exact: true }).waitFor();
    // What the browser writes down of its own network.
    faults.splice(0);
    await finish(watched);
  });
});

describe('payments', () => {
  for (const way of ways) {
    test(`a payment is found by its card and voided once, ${way.name}`, async () => {
      const amount = 31 + ways.indexOf(way);
      const payment = await payFor(callers, { merchant: wren().guid, amount });
      const watched = await signedIn('OPERATOR', baseOf(way), way.view);
      const { page } = watched;
      const total = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
      const sum = total.format(payment.amount + payment.tipAmount);
      await page.goto(`${baseOf(way)}/console/payments?last4=${payment.cardLast4}`);
      const row = page.getByRole('row').filter({ hasText: sum }).first();
      if (way.isByKeyboard) {
        await tabTo(page, row.getByRole('link'));
        await page.keyboard.press('Enter');
      } else await row.click();
      await press(way, page, 'button', 'Void');
      const dialog = page.getByRole('dialog');
      await dialog.getByText("can't be undone").waitFor();
      await dialog.getByRole('button', { name: 'Void' }).click();
      await dialog.getByText('Say why').waitFor();
      await dialog.getByLabel('Reason').fill('Ordered twice');
      if (way.isByKeyboard) await page.keyboard.press('Enter');
      else await dialog.getByRole('button', { name: 'Void' }).dblclick();
      await page.getByText('Voided', { exact: true }).first().waitFor();
      await page.getByText('Ordered twice').waitFor();
      const events = await readEvents(callers, payment);
      assert.equal(events.filter(({ cause }) => cause === 'voidedOnPointOfSale').length, 1);
      await finish(watched);
    });
  }

  test('a payment that changed meanwhile is not changed again, and the page says so', async () => {
    const payment = await payFor(callers, { merchant: wren().guid });
    const watched = await signedIn('OPERATOR', platform.baseUrl);
    const { page, faults } = watched;
    const { merchantGuid, paymentUuid } = payment;
    await page.goto(`${platform.baseUrl}/console/payments/${merchantGuid}/${paymentUuid}`);
    await page.getByRole('button', { name: 'Apply to a check' }).click();
    await page.getByLabel('Check (its GUID)').fill('01a21e89-680b-776d-9ab5-cc4a0d1474e7');
    // No answer of the page's own reading may come between.
    await page.route('**/payments/**', async (route) => {
      if (route.request().method() === 'POST') {
        const params = { merchantUuid: merchantGuid, paymentUuid };
        const json = { reason: 'By another tab' };
        const orders = await callers.as('orders');
        await orders.call('backOffice.payments.void', 200, { params, json });
      }
      await route.continue();
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Apply to a check' }).click();
    await page.getByText('The payment has changed meanwhile').waitFor();
    assert.equal(
      await page.getByLabel('Check (its GUID)').inputValue(),
      '01a21e89-680b-776d-9ab5-cc4a0d1474e7',
    );
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('By another tab').waitFor();
    assert.match(faults.splice(0).join(), /409/);
    await finish(watched);
  });
});

describe('requests', () => {
  for (const way of ways) {
    test(`a refusal appears by itself and is explained, ${way.name}`, async () => {
      const watched = await signedIn('OPERATOR', baseOf(way), way.view);
      const { page } = watched;
      await page.goto(`${baseOf(way)}/console/requests?status=4xx`);
      await page.getByText('Live', { exact: true }).waitFor();
      const refused = await fetch(`${platform.baseUrl}/stock/v1/inventory?try=${way.name}`);
      assert.equal(refused.status, 401);
      await press(way, page, 'link', /GET \/stock\/v1\/inventory/);
      await page.getByRole('heading', { name: 'How the platform decided' }).waitFor();
      await page.getByText('What to do:').waitFor();
      if (way.isByKeyboard) {
        await tabTo(page, page.getByRole('tab', { selected: true }));
        await page.keyboard.press('ArrowLeft');
      } else await page.getByRole('tab', { name: 'Response' }).click();
      await page.getByText('"status": 401').waitFor();
      await finish(watched);
    });
  }

  test('a request is replayed into a copy, which says what differs', async () => {
    const watched = await signedIn('OPERATOR', platform.baseUrl);
    const { page } = watched;
    await (await callers.as('partner')).call('partners.restaurants.list', 200);
    await page.goto(`${platform.baseUrl}/console/requests?operation=partners.restaurants.list`);
    await page
      .getByRole('link', { name: /GET \/partners/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByText(/The response from/).waitFor({ timeout: 30_000 });
    await finish(watched);
  });
});

/** What each screen needs; null for everybody. */
const screens = {
  style: null,
  stock: 'stock.admin:read',
  payments: 'payments.lifecycle:read',
  requests: 'requests:read',
} as const;

describe('role by screen', () => {
  const places = { OPERATOR: 'platform', PARTNER_DEVELOPER: 'partner' } as const;
  for (const role of roleNames) {
    test(`${role} sees the screens of the role, and is told of the others`, async () => {
      const watched = await signedIn(role, platform.baseUrl, PHONE);
      const { page } = watched;
      const place =
        role in places
          ? places[role as keyof typeof places]
          : role === 'RESTAURANT_ADMINISTRATOR'
            ? 'restaurant'
            : 'group';
      const held = scopesOfRole(role, place);
      for (const [screen, scope] of Object.entries(screens)) {
        await page.goto(`${platform.baseUrl}/console/${screen}`);
        const isAllowed = scope === null || held.includes(scope);
        const refusal = page.getByRole('heading', { name: 'You may not do this' });
        if (!isAllowed) await refusal.waitFor();
        else await page.locator('main h1').first().waitFor();
        assert.equal(await refusal.count(), isAllowed ? 0 : 1, `${screen} as ${role}`);
        const link = page.getByRole('navigation').locator(`a[href*="/console/${screen}"]`);
        const isListed = isAllowed && screen !== 'style';
        assert.equal(await link.count(), isListed ? 1 : 0, `the link to ${screen} for ${role}`);
      }
      await finish(watched);
    });
  }
});

test('an address that leads nowhere says so, and Ctrl-K leads to a restaurant', async () => {
  const watched = await signedIn('OPERATOR', proxy.url);
  const { page } = watched;
  await page.goto(`${proxy.url}/console/nowhere/at/all`);
  await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('early wren');
  await page.getByRole('option', { name: /The Early Wren/ }).waitFor();
  await page.keyboard.press('Enter');
  await page
    .getByRole('button', { name: /Sour Cherry Pie/ })
    .first()
    .waitFor();
  assert.ok(page.url().startsWith(`${proxy.url}/console/stock?restaurant=${wren().guid}`));
  await finish(watched);
});

test('the sandbox bar moves the clock, in the dark too', async () => {
  const watched = await signedIn('OPERATOR', platform.baseUrl, { ...DESK, colorScheme: 'dark' });
  const { page } = watched;
  await page.goto(`${platform.baseUrl}/console/style`);
  await page.getByRole('button', { name: 'Move the clock' }).click();
  await page.getByRole('button', { name: '1 minute on' }).click();
  await page.getByText(/^It is .* now\./).waitFor();
  await page.getByRole('heading', { name: 'Style', exact: true }).waitFor();
  await finish(watched);
});
