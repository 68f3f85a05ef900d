import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseOf, finish, press, signedIn, tabTo, useConsole, ways } from './console.ts';

const at = useConsole();

for (const way of ways) {
  test(`a refusal appears by itself and is explained, ${way.name}`, async () => {
    const watched = await signedIn(at(), 'OPERATOR', baseOf(way, at()), way.view);
    const { page } = watched;
    await page.goto(`${baseOf(way, at())}/console/requests?status=4xx`);
    await page.getByText('Live', { exact: true }).waitFor();
    const refused = await fetch(`${at().platform.baseUrl}/stock/v1/inventory?try=${way.name}`);
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
  const watched = await signedIn(at(), 'OPERATOR', at().platform.baseUrl);
  const { page } = watched;
  await (await at().callers.as('partner')).call('partners.restaurants.list', 200);
  await page.goto(`${at().platform.baseUrl}/console/requests?operation=partners.restaurants.list`);
  await page
    .getByRole('link', { name: /GET \/partners/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
  await page.getByText(/The response from/).waitFor({ timeout: 30_000 });
  await finish(watched);
});
