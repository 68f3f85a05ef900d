import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payFor } from '../../../acceptance/src/back-office.ts';
import { loggedInPerson } from '../../../acceptance/src/people.ts';
import { finish, signedIn, useConsole } from './console.ts';
import { hostileTexts } from './hostile-texts.ts';

const at = useConsole();

/** A restaurant whose every name is hostile, and what belongs to it. */
async function makeHostilePlace() {
  const operator = await at().callers.as('operator');
  const ask = async (id: string, options: object) =>
    (await operator.call(`backOffice.${id}`, 200, options)).json as { readonly guid: string };
  const [text = '', other = ''] = hostileTexts;
  const group = await ask('managementGroups.create', { json: { name: text } });
  const general = { name: text, timeZone: 'Europe/Lisbon', currencyCode: 'EUR' };
  const restaurant = await ask('restaurants.create', {
    json: { general: { ...general, managementGroupGuid: group.guid } },
  });
  const params = { restaurantGuid: restaurant.guid };
  const menuItems = hostileTexts.map((name) => ({
    name,
    pricing: { strategy: 'BASE_PRICE', price: 8 },
  }));
  const menuGroups = [{ name: other, items: hostileTexts }];
  const configuration = { menus: [{ name: text, groups: [other] }], menuGroups, menuItems };
  await ask('configuration.apply', {
    params,
    json: { note: text, document: { configuration } },
  });
  for (const name of hostileTexts.slice(20, 40)) {
    const partner = await ask('partners.create', { json: { name } });
    const json = { partnerGuid: partner.guid, externalRestaurantRef: name.slice(0, 60) };
    await ask('connections.connect', { params, json });
    await ask('clients.create', {
      json: { name, type: 'PARTNER', partnerGuid: partner.guid, scopes: ['stock:read'] },
    });
    await ask('stock.set', { params, json: { changes: [{ name, status: 'OUT_OF_STOCK' }] } });
    const path = `/stock/v1/inventory?name=${encodeURIComponent(name)}`;
    assert.equal((await fetch(at().platform.baseUrl + path)).status, 401);
  }
  return restaurant.guid;
}

test('names that are written like code are only shown, on every screen', async () => {
  assert.equal(new Set(hostileTexts).size, 200);
  const restaurant = await makeHostilePlace();
  await payFor(at().callers, {});
  await loggedInPerson(at().callers);
  const watched = await signedIn(at(), 'OPERATOR');
  const { page, faults, visit } = watched;
  page.on('dialog', (dialog) => faults.push(`a dialog: ${dialog.message()}`));
  await visit('');
  const links = page.getByRole('navigation').getByRole('link');
  await links.first().waitFor();
  const addresses = await Promise.all(
    (await links.all()).map(
      async (link) => new URL((await link.getAttribute('href')) ?? '', page.url()),
    ),
  );
  for (const address of addresses) {
    address.searchParams.set('restaurant', restaurant);
    await visit(address.href);
    await page.locator('main h1').first().waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('globalThis.__ran'), undefined, `something ran on ${address}`);
  }
  const [first = ''] = hostileTexts;
  await visit(`stock?restaurant=${restaurant}`);
  await page.getByText(first, { exact: true }).first().waitFor();
  await finish(watched);
});
