import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish, press, signedIn, useConsole, way, wren } from './console.ts';

const at = useConsole();

/** Changes of an item of its own, by the operator of the demo. */
async function change(name: string, status: string) {
  const operator = await at().callers.as('operator');
  const params = { restaurantGuid: wren(at()).guid };
  await operator.call('backOffice.stock.set', 200, {
    params,
    json: { changes: [{ name, status }] },
  });
}

test(`a change appears by itself, with its fields before and after, ${way.name}`, async () => {
  const watched = await signedIn(at(), 'OPERATOR', way.view);
  const { page, visit } = watched;
  const restaurant = wren(at()).guid;
  await visit(`audit?restaurant=${restaurant}&kind=stock&operation=backOffice.stock.set`);
  await page.getByText('Live', { exact: true }).waitFor();
  const rows = page.getByRole('button', { name: /^backOffice\.stock\.set/ });
  const count = await rows.count();
  await change('Applesauce', 'OUT_OF_STOCK');
  await rows.nth(count).waitFor();
  await press(page, 'button', /^backOffice\.stock\.set/);
  const fields = page.getByRole('dialog').locator('tr').filter({ hasText: 'status' });
  await fields.filter({ hasText: 'OUT_OF_STOCK' }).first().waitFor();
  assert.match(page.url(), /entry=/, 'the open entry is in the address');
  await visit(page.url());
  await fields.first().waitFor();
  await press(page, 'button', 'Close');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await press(page, 'button', 'Verify the chain');
  await page.getByText('Intact', { exact: true }).waitFor();
  await page.getByText(/Verified up to position [1-9]/).waitFor();
  await finish(watched);
});

test('filters are in the address, and the whole chain is exported', async () => {
  await change('Baklava', 'OUT_OF_STOCK');
  const watched = await signedIn(at(), 'OPERATOR');
  const { page, visit } = watched;
  await visit('audit');
  await page.getByLabel('Who').fill('nobody at all');
  await page.getByRole('heading', { name: 'No change matches these filters' }).waitFor();
  assert.match(page.url(), /who=nobody\+at\+all/);
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByLabel('Kind of object').selectOption('stock');
  await page
    .getByRole('button', { name: /^backOffice\.stock\.set/ })
    .first()
    .waitFor();
  assert.equal(await page.getByLabel('Who').inputValue(), '');
  await page.reload();
  assert.equal(await page.getByLabel('Kind of object').inputValue(), 'stock');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export' }).click();
  const lines: string[] = [];
  for await (const chunk of await (await downloading).createReadStream()) lines.push(String(chunk));
  assert.ok(lines.join('').split('\n').length > 10);
  await finish(watched);
});
