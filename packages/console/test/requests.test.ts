import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish, press, signedIn, tabTo, useConsole, way } from './console.ts';

const at = useConsole();

test(`a refusal appears by itself and is explained, ${way.name}`, async () => {
  const watched = await signedIn(at(), 'OPERATOR', way.view);
  const { page, visit } = watched;
  await visit('requests?status=4xx');
  await page.getByText('Live', { exact: true }).waitFor();
  const body = '[]';
  const url = `${at().platform.baseUrl}/stock/v1/inventory/update?try=${way.name}`;
  const refused = await fetch(url, { method: 'PUT', body });
  assert.equal(refused.status, 401);
  await press(page, 'link', /PUT \/stock\/v1\/inventory\/update/);
  await page.getByRole('heading', { name: 'How the platform decided' }).waitFor();
  await page.getByText('What to do:').waitFor();
  if (way.isByKeyboard) {
    await tabTo(page.getByRole('tab', { selected: true }));
    await page.keyboard.press('ArrowLeft');
  } else await page.getByRole('tab', { name: 'Response' }).click();
  await page.getByText('"status": 401').waitFor();
  if (way.isByKeyboard) await page.keyboard.press('ArrowLeft');
  else await page.getByRole('tab', { name: 'Request' }).click();
  await page.getByText('refused before its body was read').waitFor();
  await press(page.locator('main'), 'link', 'Requests');
  await page.waitForURL(/requests\?status=4xx$/);
  await finish(watched);
});

test('a request is found by operation and client, copied, and replayed', async () => {
  const watched = await signedIn(at(), 'OPERATOR');
  const { page, context, visit } = watched;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const partner = await at().callers.as('partner');
  await partner.call('partners.restaurants.list', 200);
  await partner.call('stock.update', 400, { json: [] });
  await visit('requests');
  const operation = page.getByLabel('Operation');
  await operation.fill('partners');
  await page.getByText('No such operation. The list is not filtered by it.').waitFor();
  await operation.fill('partners.restaurants.list');
  await page.waitForURL(/operation=partners\.restaurants\.list$/);
  await page.getByLabel('Client').selectOption('Demo partner');
  await page.waitForURL(/operation=partners\.restaurants\.list&client=/);
  const row = page.getByRole('row').filter({ hasText: 'GET /partners' }).first();
  await row.getByText('Demo partner').waitFor();
  await row.getByRole('link').click();
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
  const status = page.locator('h3:focus', { hasText: 'The response from' });
  await status.waitFor({ timeout: 30_000 });
  const replayedAt = page.url();
  await page.getByRole('dialog').getByRole('link', { name: 'Open the new request' }).click();
  // Nobody asks who it is.
  await page.waitForURL(/sandboxes\/replay-\w+\/console\/requests\//);
  await page.getByRole('heading', { name: 'GET /partners', level: 1 }).waitFor();
  await visit('health');
  await page.getByRole('button', { name: 'Sandboxes' }).click();
  const copy = page.getByRole('listitem').filter({ hasText: 'Replay of GET /partners' }).first();
  await copy.getByRole('link', { name: /^GET/ }).click();
  await page.waitForURL(replayedAt);
  await page.getByRole('heading', { name: 'GET /partners', level: 1 }).waitFor();

  await page.locator('main').getByRole('link', { name: 'Requests' }).first().click();
  await operation.fill('stock.update');
  await page
    .getByRole('link', { name: /PUT \/stock/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByText('Copied.').waitFor();
  const curl = String(await page.evaluate('navigator.clipboard.readText()'));
  assert.match(curl, /^# The log has no body.*body\.json\.\ncurl -X PUT .*-d @body\.json$/s);
  await page.getByRole('button', { name: 'Replay' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Replay' }).click();
  await dialog.getByText('Write the body to send, as JSON.').waitFor();
  assert.equal(await dialog.getByLabel('New values').count(), 0);
  await finish(watched);
});

test('a developer learns who sees calls of nobody, and who replays', async () => {
  const partner = await at().callers.as('partner');
  await partner.call('stock.update', 400, { json: [] });
  const watched = await signedIn(at(), 'PARTNER_DEVELOPER');
  const { page, visit } = watched;
  await visit('requests?operation=stock.update');
  await page.getByText('Calls without a valid token belong to nobody').waitFor();
  await page
    .getByRole('link', { name: /PUT \/stock/ })
    .first()
    .click();
  await page.getByText(/Token: valid until \w{3} \d/).waitFor();
  await page.getByText('Operators can replay it.').waitFor();
  await finish(watched);
});

test('advice leads who may follow it to the screen, and tells others who may', async () => {
  const reader = await at().callers.as('readOnly');
  const [restaurant] = at().platform.demo.restaurants;
  assert.ok(restaurant);
  await reader.call('stock.update', 403, { restaurant: restaurant.guid, json: [] });
  for (const role of ['OPERATOR', 'READ_ONLY'] as const) {
    const watched = await signedIn(at(), role);
    const { page, visit } = watched;
    await visit('requests?operation=stock.update&status=4xx');
    await page.getByRole('row').filter({ hasText: '403' }).first().getByRole('link').click();
    await page.getByText('which stock.update needs: an operator can add it.').waitFor();
    const advice = page.getByText('What to do: Add the scope to the account.');
    if (role === 'OPERATOR') {
      await advice.getByRole('link', { name: 'Open the account' }).click();
      await page.getByRole('heading', { name: 'Demo partner, read only', level: 1 }).waitFor();
    } else assert.match(await advice.innerText(), /Operators do that in Accounts\.$/);
    await finish(watched);
  }
});
