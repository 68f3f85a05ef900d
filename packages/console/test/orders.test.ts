import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order, OrderEvent } from '@servery/contract';
import type { Page } from 'playwright-core';
import { payFor, readPayment } from '../../../acceptance/src/back-office.ts';
import { openOrdering } from '../../../acceptance/src/ordering.ts';
import { PHONE } from './browser.ts';
import { finish, press, signedIn, useConsole, way, wren } from './console.ts';

const at = useConsole();

/** Restaurants that approve each order. */
function hudhud(): string {
  const found = at().platform.demo.restaurants.find(({ name }) => name.startsWith('Hudhud'));
  assert.ok(found);
  return found.guid;
}

interface Placing {
  readonly restaurant: string;
  readonly externalId?: string;
  /** What the guest asks for. */
  readonly request?: string;
  readonly isPaid?: boolean;
}

interface Placed {
  readonly guid: string;
  readonly number: string;
  readonly payment: Awaited<ReturnType<typeof payFor>> | null;
}

/** An order of the demo partner. */
async function place({
  restaurant,
  externalId,
  request,
  isPaid = false,
}: Placing): Promise<Placed> {
  const { callers } = at();
  const partner = await callers.as('partner');
  const { selection, orderOf } = await openOrdering(partner, restaurant);
  const modifiers = request ? [{ selectionType: 'SPECIAL_REQUEST', displayName: request }] : [];
  const check = { selections: [{ ...selection, modifiers }] };
  const priced = (await partner.call('orders.price', 200, { restaurant, json: orderOf({}, check) }))
    .json as Order;
  const amount = priced.checks[0]?.totalAmount ?? 0;
  const payment = isPaid ? await payFor(callers, { merchant: restaurant, amount }) : null;
  const payments = payment
    ? [
        {
          type: 'CREDIT',
          guid: payment.paymentUuid,
          amount: payment.amount,
          tipAmount: payment.tipAmount,
        },
      ]
    : [];
  const json = orderOf({ externalId }, { ...check, payments });
  const placed = (await partner.call('orders.place', 200, { restaurant, json })).json as Order;
  assert.ok(placed.guid && placed.displayNumber);
  return { guid: placed.guid, number: placed.displayNumber, payment };
}

async function eventsOf(restaurantGuid: string, orderGuid: string): Promise<OrderEvent[]> {
  const orders = await at().callers.as('orders');
  const params = { restaurantGuid, orderGuid };
  const { json } = await orders.call('backOffice.orders.events', 200, { params });
  return json as OrderEvent[];
}

async function causesOf(restaurantGuid: string, orderGuid: string): Promise<string[]> {
  return (await eventsOf(restaurantGuid, orderGuid)).map(({ cause }) => cause);
}

async function voidByOthers(restaurantGuid: string, orderGuid: string): Promise<void> {
  const operator = await at().callers.as('operator');
  const params = { restaurantGuid, orderGuid };
  const json = { reason: 'By another tab' };
  await operator.call('backOffice.orders.void', 200, { params, json });
}

/** Numbers start again each business day, so two orders on one board may have the same one. */
function cardOf(page: Page, orderGuid: string) {
  return page.locator(`#order-${orderGuid}`);
}

test(`an order goes from approval to the guest on its card, ${way.name}`, async () => {
  const restaurant = hudhud();
  const watched = await signedIn(at(), 'OPERATOR', way.view);
  const { page, visit } = watched;
  await visit(`orders?restaurant=${restaurant}`);
  await page.getByText('Live', { exact: true }).waitFor();
  // It comes by itself.
  const { guid, number } = await place({ restaurant });
  const card = cardOf(page, guid);
  for (const step of [/^Accept/, /^Ready/, /^Fulfill/]) {
    await press(card, 'button', step);
  }
  await page.getByRole('dialog').getByText('is not paid').waitFor();
  await press(page, 'button', /^Fulfill$/);
  await card.waitFor({ state: 'detached' });
  await press(page, 'button', /^Fulfilled/);
  const past = page.getByRole('row').filter({ has: page.locator(`a[href*="${guid}"]`) });
  await press(past, 'link', `#${number}`);
  await page.getByRole('heading', { name: `Order #${number}` }).waitFor();
  await page.getByText('Fulfilled', { exact: true }).first().waitFor();
  const causes = await causesOf(restaurant, guid);
  assert.deepEqual(causes, ['placed', 'approved', 'ready', 'fulfilled']);
  await finish(watched);
});

test('a double click takes one step and not the next one, and a conflict is told', async () => {
  const restaurant = wren(at()).guid;
  const { guid } = await place({ restaurant, isPaid: true });
  const watched = await signedIn(at(), 'RESTAURANT_ADMINISTRATOR');
  const { page, faults, visit } = watched;
  await visit(`orders?restaurant=${restaurant}&state=kitchen`);
  // In each state alone, where the next card slides under the pointer.
  const card = cardOf(page, guid);
  await card.getByRole('button', { name: /^Ready/ }).dblclick();
  await page.getByRole('button', { name: /^Ready \d/ }).click();
  await card.getByText('from the card at the end of the business day').waitFor();
  assert.equal((await causesOf(restaurant, guid)).at(-1), 'ready', 'the order is not fulfilled');
  await page.route('**/fulfil', async (route) => {
    await voidByOthers(restaurant, guid);
    await route.continue();
  });
  await card.getByRole('button', { name: 'Fulfill' }).press('Enter');
  await page.getByText('The order has changed in the meantime').waitFor();
  await card.waitFor({ state: 'detached' });
  assert.ok(!(await causesOf(restaurant, guid)).includes('fulfilled'));
  assert.match(faults.splice(0).join(), /409/);
  await finish(watched);
});

test('an order is found by its external ID and canceled once, with its payment', async () => {
  const restaurant = wren(at()).guid;
  const { guid, number, payment } = await place({
    restaurant,
    externalId: 'orders-screen:1',
    isPaid: true,
  });
  assert.ok(payment);
  const watched = await signedIn(at(), 'RESTAURANT_ADMINISTRATOR');
  const { page, visit } = watched;
  await visit(`orders?restaurant=${restaurant}`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('orders-screen:1');
  await page.getByRole('option', { name: `Order #${number}` }).click();
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/the hold of .* is released/).waitFor();
  await dialog.getByRole('button', { name: 'Cancel the order' }).click();
  await dialog.getByText('Say why').waitFor();
  await dialog.getByLabel('Reason', { exact: true }).fill('The oven is cold');
  await dialog.getByRole('button', { name: 'Cancel the order' }).dblclick();
  const history = page.getByRole('region', { name: 'What happened' });
  await history.getByText('The oven is cold').waitFor();
  const [voided, ...more] = (await eventsOf(restaurant, guid)).filter(
    ({ cause }) => cause === 'voided',
  );
  assert.equal(more.length, 0, 'a double click cancels once');
  assert.match(voided?.by ?? '', /^person:/);
  await history
    .getByText(voided?.byName ?? 'nobody')
    .first()
    .waitFor();
  assert.match((await readPayment(at().callers, payment)).paymentState, /VOID/);
  await page.getByRole('link', { name: /•/ }).click();
  await page.getByRole('heading', { name: /^Payment of/ }).waitFor();
  assert.ok(page.url().includes(`/payments/${restaurant}/${payment.paymentUuid}`));
  await finish(watched);
});

test('the kitchen sees requests but no prices, bumps, and is told to stop', async () => {
  const restaurant = wren(at()).guid;
  const watched = await signedIn(at(), 'RESTAURANT_ADMINISTRATOR', PHONE);
  const { page, visit } = watched;
  // A tablet.
  await page.setViewportSize({ width: 1024, height: 768 });
  await visit(`orders?restaurant=${restaurant}&view=kitchen`);
  await page.getByText('Live', { exact: true }).waitFor();
  const first = await place({ restaurant, request: 'Cut in two, please' });
  const second = await place({ restaurant });
  const ticket = cardOf(page, first.guid);
  await ticket.getByText('Cut in two, please').waitFor();
  const stopped = cardOf(page, second.guid);
  await stopped.waitFor();
  const text = await page.getByRole('main').innerText();
  assert.doesNotMatch(text, /\$/, 'the kitchen has no use for prices');
  assert.ok(
    text.indexOf(`#${first.number}\n`) < text.indexOf(`#${second.number}\n`),
    'the oldest order comes first',
  );
  await voidByOthers(restaurant, second.guid);
  await stopped.getByText('Canceled: stop').waitFor();
  await stopped.getByRole('button', { name: 'Understood' }).tap();
  await stopped.waitFor({ state: 'detached' });
  await ticket.getByRole('button', { name: 'Ready' }).tap();
  await ticket.waitFor({ state: 'detached' });
  assert.equal((await causesOf(restaurant, first.guid)).at(-1), 'ready');
  await finish(watched);
  await page.setViewportSize(PHONE);
});

test('a new order rings, counts in the title, and reaches who looks elsewhere', async () => {
  const restaurant = hudhud();
  const watched = await signedIn(at(), 'OPERATOR');
  const { page, context, visit } = watched;
  await context.grantPermissions(['notifications']);
  await visit(`orders?restaurant=${restaurant}`);
  await page.evaluate(spyOnAlerts);
  await page.getByText('Live', { exact: true }).waitFor();
  const quiet = await place({ restaurant });
  await cardOf(page, quiet.guid).waitFor();
  assert.equal(await page.evaluate('tones'), 0, 'nobody has allowed a sound');
  for (const name of ['Sound', 'Notifications']) {
    await page.getByRole('button', { name: 'Alerts' }).click();
    await page.getByRole('switch', { name }).click();
  }
  await until(page, 'tones === 2 && notices.length === 1');
  await page.evaluate('hide(true)');
  const { number } = await place({ restaurant });
  await until(page, `notices.includes('New order #${number}') && tones === 4`);
  await until(page, String.raw`/^\(\d+\) Orders/.test(document.title)`);
  await page.evaluate('hide(false)');
  await page.getByRole('link', { name: 'Kitchen' }).click();
  await page.getByRole('link', { name: 'Stock' }).click();
  await until(page, "document.title.startsWith('Stock')");
  await finish(watched);
  // The next test must not find the spies.
  await page.reload();
});

/** The policy of the page forbids Playwright's own way of waiting. */
async function until(page: Page, condition: string): Promise<void> {
  while (!(await page.evaluate(`new Promise((tell) => setTimeout(() => tell(${condition}), 50))`)));
}

/** Runs in the page: counts tones and notices, and can hide the page. */
function spyOnAlerts(): void {
  const page = globalThis as unknown as Record<string, unknown> & {
    tones: number;
    OscillatorNode: { prototype: { start: (at?: number) => void } };
    Notification: new (title: string, options: object) => object;
    document: EventTarget;
  };
  const { start } = page.OscillatorNode.prototype;
  const { Notification: Real } = page;
  const notices: string[] = [];
  let isHidden = false;
  Object.assign(page, { tones: 0, notices });
  page.OscillatorNode.prototype.start = function count(at) {
    page.tones += 1;
    start.call(this, at);
  };
  page.Notification = class extends Real {
    constructor(title: string, options: object) {
      super(title, options);
      notices.push(title);
    }
  };
  Object.defineProperty(page.document, 'visibilityState', {
    get: () => (isHidden ? 'hidden' : 'visible'),
  });
  page.hide = (isGone: boolean) => {
    isHidden = isGone;
    page.document.dispatchEvent(new Event('visibilitychange'));
  };
}
