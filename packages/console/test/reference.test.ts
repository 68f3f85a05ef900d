import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '@servery/contract';
import { DESK, openPage, PHONE } from './browser.ts';
import { baseOf, finish, useConsole, ways } from './console.ts';

const there = useConsole();

test('docs.reference 200: every operation of the contract is on a page, and leads to itself', async () => {
  const { baseUrl } = there().platform;
  const start = await (await fetch(`${baseUrl}/reference`)).text();
  const pages = new Set([...start.matchAll(/href="\.\/reference\/([a-z-]+)"/g)].map(([, name]) => name));
  const found: string[] = [];
  for (const page of pages) {
    const text = await (await fetch(`${baseUrl}/reference/${page}`)).text();
    const own = [...text.matchAll(/<section class="operation" id="([^"]+)"/g)].map(([, id = '']) => id);
    for (const id of own) assert.ok(start.includes(`href="./reference/${page}#${id}"`), id);
    found.push(...own);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, `${page}: no anchor is there twice`);
    for (const [, anchor] of text.matchAll(/href="#([^"]+)"/g)) {
      assert.ok(ids.includes(anchor), `${page}: #${anchor} is on the page`);
    }
  }
  assert.deepEqual(found.sort(), operations.map(({ id }) => id).sort());
});

test('docs.reference: each page is sound in light and dark, on a desk and a phone', async () => {
  const { browser, platform } = there();
  for (const page of ['', '/stock', '/credit-cards', '/authentication', '/back-office-sessions']) {
    for (const view of [DESK, { ...PHONE, colorScheme: 'dark' } as const]) {
      const watched = await openPage(browser, view);
      await watched.page.goto(`${platform.baseUrl}/reference${page}`);
      await watched.page.locator('summary').first().waitFor();
      await watched.page.evaluate(
        `for (const one of document.querySelectorAll('main details:not([name])')) one.open = true`,
      );
      await finish(watched);
    }
  }
});

for (const way of ways) {
  test(`docs.reference: search finds an operation ${way.name}`, async () => {
    const { browser } = there();
    const watched = await openPage(browser, way.view);
    const { page } = watched;
    await page.goto(`${baseOf(way, there())}/reference`);
    if (way.view === PHONE) await page.getByText('All operations').click();
    if (way.isByKeyboard) await page.keyboard.press('/');
    else await page.getByRole('searchbox').click();
    await page.keyboard.type('orders price');
    const link = page.getByRole('link', { name: 'Price an order' });
    await link.waitFor();
    await page.getByText(/^\d+ operations?$/).waitFor();
    if (way.isByKeyboard) {
      await link.focus();
      await page.keyboard.press('Enter');
    } else await link.click();
    await page.waitForURL(/\/reference\/orders#orders\.price$/);
    await page.getByRole('heading', { name: 'Price an order' }).waitFor();
    await finish(watched);
  });
}
