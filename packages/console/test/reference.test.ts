import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, openPage, PHONE } from './browser.ts';
import { baseOf, check, finish, press, pressOn, useConsole, way } from './console.ts';

const there = useConsole();

/** Opens everything, and keeps one operation of each method: the checker takes seconds for a hundred. */
const PREPARE = `
  for (const one of document.querySelectorAll('main details:not([name])')) one.open = true;
  const met = new Set();
  for (const one of document.querySelectorAll('.operation')) {
    const method = one.querySelector('.method').textContent;
    if (met.has(method)) one.remove();
    met.add(method);
  }`;

test('docs.reference 200: pages are sound in light and dark, on a desk and a phone', async () => {
  const { browser, platform } = there();
  const watched = await openPage(browser, DESK);
  const { page, context } = watched;
  for (const [at, ...views] of [
    ['', DESK, PHONE],
    ['reference', DESK, PHONE],
    ['reference/stock', DESK],
    ['reference/platform', PHONE],
  ] as const) {
    await page.goto(`${platform.baseUrl}/${at}`);
    await page.evaluate(PREPARE);
    for (const view of views) {
      await page.setViewportSize(view);
      await page.emulateMedia({ colorScheme: view === PHONE ? 'dark' : 'light' });
      await check(watched);
    }
  }
  await context.close();
});

test(`docs.reference docs.referencePage: an operation is found, and sent as an account of the sandbox, ${way.name}`, async () => {
  const { browser } = there();
  const watched = await openPage(browser, way.view);
  const { page } = watched;
  await page.goto(`${baseOf(there(), way.view)}/reference`);
  if (way.isByKeyboard) await page.keyboard.press('/');
  else await page.getByRole('searchbox').click();
  await page.keyboard.type('stock search');
  const hit = page.getByRole('link', { name: 'Look up the stock of items' });
  await hit.waitFor();
  await page.getByText(/^\d+ operations?$/).waitFor();
  // Enter opens the first hit.
  if (way.isByKeyboard) await page.keyboard.press('Enter');
  else await hit.click();
  await page.waitForURL(/\/reference\/stock#stock\.search$/);
  await page.getByRole('heading', { name: 'Look up the stock of items' }).waitFor();
  const operation = page.locator('[id="stock.search"]');
  await pressOn(operation.getByText('Try it', { exact: true }));
  await page.getByText('Signed in as Demo partner.').waitFor();
  const restaurant = await operation.getByLabel('Restaurant').inputValue();
  const place = there().platform.demo.restaurants.find(({ guid }) => guid === restaurant);
  assert.ok(place);
  await operation.getByText(`As Demo partner, for ${place.name}.`).waitFor();
  await operation.getByText('curl', { exact: true }).waitFor();
  const example = await operation.locator('.example pre').first().textContent();
  const [named = ''] = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/.exec(example ?? '') ?? [];
  assert.ok(
    there().platform.demo.restaurants.some(({ guid }) => guid === named),
    'examples name a restaurant that is there',
  );
  await operation.getByRole('textbox', { name: 'Body' }).fill('{"guids": []}');
  await press(operation, 'button', 'Send');
  await operation.getByText('200 OK').waitFor();
  assert.equal(await operation.getByLabel('Response body').textContent(), '[]');
  await operation.getByRole('textbox', { name: 'Body' }).fill('{"guids": 7}');
  await press(operation, 'button', 'Send');
  await operation.locator('.answer').getByText('400 Bad Request').waitFor();
  const link = operation.getByRole('link', { name: 'This request in the console' });
  assert.match(String(await link.getAttribute('href')), /\/console\/requests\/[\da-f-]{36}$/);
  // The browser reports each refusal as an error of its own.
  watched.faults.splice(
    0,
    watched.faults.length,
    ...watched.faults.filter((each) => !/status of 400/.test(each)),
  );
  await finish(watched);
});

test('docs.referencePage: the examples of orders and stock succeed as they are, and the operator asks who he is', async () => {
  const { browser, platform } = there();
  const watched = await openPage(browser, DESK);
  const { page } = watched;
  for (const [at, ids] of [
    ['orders', ['orders.price', 'orders.place']],
    ['stock', ['stock.search', 'stock.update']],
  ] as const) {
    await page.goto(`${platform.baseUrl}/reference/${at}`);
    const example = await page.locator('#try-it').getAttribute('data-item');
    for (const id of ids) {
      const operation = page.locator(`[id="${id}"]`);
      await operation.getByText('Try it', { exact: true }).click();
      const body = operation.getByRole('textbox', { name: 'Body' });
      await page.getByText('The bodies name an item of this restaurant.').waitFor();
      assert.ok(!(await body.inputValue()).includes(String(example)));
      assert.match(await body.inputValue(), /"guids?":/);
      await operation.getByRole('button', { name: 'Send' }).click();
      await operation.locator('.answer').getByText('200 OK').waitFor();
    }
  }
  // Those of the back office are tried as the operator.
  await page.goto(`${platform.baseUrl}/reference/back-office-who-am-i`);
  const operation = page.locator('[id="backOffice.whoami"]');
  await operation.getByText('Try it', { exact: true }).click();
  await page.getByText('Signed in as Demo operator.').waitFor();
  await operation.getByRole('button', { name: 'Send' }).click();
  await operation.getByText('200 OK').waitFor();
  await operation.getByText('"Demo operator"').waitFor();
  for (const account of ['Demo management group', 'Unconnected partner', 'Demo orders system']) {
    await page.getByLabel('Account').selectOption(account);
    await page.getByText(`Signed in as ${account}.`).waitFor();
  }
  await operation.getByRole('button', { name: 'Send' }).click();
  await operation.getByText('"Demo orders system"').waitFor();
  await finish(watched);
});
