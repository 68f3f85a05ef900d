import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish, press, signedIn, useConsole, way } from './console.ts';

const at = useConsole();

/** A restaurant of its own, without connections. */
async function create(name: string): Promise<string> {
  const operator = await at().callers.as('operator');
  const { managementGroupGuid } = at().platform.demo;
  const general = { name, timeZone: 'America/Chicago', currencyCode: 'USD', managementGroupGuid };
  const answer = await operator.call('backOffice.restaurants.create', 200, { json: { general } });
  return String((answer.json as { readonly guid: string }).guid);
}

async function stateOf(restaurantGuid: string): Promise<readonly unknown[]> {
  const operator = await at().callers.as('operator');
  const params = { restaurantGuid };
  const answer = await operator.call('backOffice.connections.list', 200, { params });
  const { results } = answer.json as unknown as {
    readonly results: readonly { readonly state: string; readonly disconnectReason: string }[];
  };
  return results.map(({ state, disconnectReason }) => [state, disconnectReason]);
}

test(`a partner gets access, and loses it for a reason, ${way.name}`, async () => {
  const guid = await create('Connected');
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR', way.view);
  const { page, visit } = watched;
  await visit(`connections?restaurant=${guid}`);
  await page.getByRole('heading', { name: 'No partner has access' }).waitFor();
  await press(page, 'button', 'Connect a partner');
  const dialog = page.getByRole('dialog');
  const partner = dialog.locator('.partners button').first();
  const name = (await partner.locator('.who').evaluate(firstText)) as string;
  await press(page, 'button', name);
  await dialog.getByText('gets access at once').waitFor();
  await dialog.getByRole('button', { name: 'Connect a partner' }).dblclick();
  await press(page, 'link', name);
  await page.getByRole('heading', { name }).waitFor();
  await press(page, 'button', 'Disconnect');
  await dialog.getByText('loses access to').waitFor();
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await dialog.getByText('Say why').waitFor();
  await dialog.getByLabel('Reason').fill('We count by hand again.');
  await page.keyboard.press('Enter');
  await page.getByText('no longer has access').waitFor();
  const timeline = page.getByRole('region', { name: 'What happened' });
  await timeline.getByText('We count by hand again.').waitFor();
  assert.equal(await timeline.getByRole('listitem').count(), 2, 'each happened once');
  assert.deepEqual(await stateOf(guid), [['DISCONNECTED', 'We count by hand again.']]);
  await finish(watched);
});

test('a partner developer sees its restaurants, and no button to change that', async () => {
  const watched = await signedIn(at(), 'PARTNER_DEVELOPER');
  const { page, visit } = watched;
  await visit('connections');
  await page.getByRole('row', { name: /The Early Wren.*Has access/ }).waitFor();
  const archived = at().platform.demo.restaurants.filter((restaurant) => restaurant.archived);
  for (const { name } of archived) {
    await page.getByRole('row', { name }).getByText('Archived', { exact: true }).waitFor();
  }
  assert.notEqual(archived.length, 0);
  assert.equal(await page.getByRole('button', { name: 'Connect a partner' }).count(), 0);
  await finish(watched);
});

/** Runs in the page. */
function firstText(node: unknown): string {
  const { firstChild } = node as { readonly firstChild: { readonly textContent: string } };
  return firstChild.textContent;
}
