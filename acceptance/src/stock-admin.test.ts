import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { moveClock, readClock } from './back-office.ts';
import { BackOfficeStock } from './back-office-stock.ts';
import { DemoCallers } from './client.ts';
import type { Inventory } from './fixtures.ts';
import { OWN_SETTINGS, startPlatform } from './platform.ts';
import { messageOf, nth } from './values.ts';

// A platform of its own: its clock is moved, by days, which all others of a run and tokens go by.
const settings = { ...OWN_SETTINGS, SERVERY_TOKEN_LIFETIME_SECONDS: '2592000' };
const platform = await startPlatform({ settings });
after(() => platform.stop());

const callers = new DemoCallers(platform);
const partner = await callers.as('partner');
const operator = await callers.as('operator');
const stock = await BackOfficeStock.open(callers);
const restaurant = stock.restaurantGuid;
const items = (await stock.list()).filter(
  (item, _, all) => all.filter(({ name }) => name === item.name).length === 1,
);
await moveClock(operator, 'freeze');
// The demo orders wait for approval, for their day to end, and for tomorrow.
while ((await readClock(operator)).nextDeadline !== null) await moveClock(operator, 'next');

/** What the partner sees of an item. */
async function seen(guid: string): Promise<Inventory | undefined> {
  const answer = await partner.call('stock.search', 200, { restaurant, json: { guids: [guid] } });
  return (answer.json as Inventory[])[0];
}

test('backOffice.stock.set 200: 86 until tomorrow, and it comes back by itself', async () => {
  const item = nth(items, 0, 'item');
  const [out] = await stock.set({ name: item.name, status: 'OUT_OF_STOCK', until: 'closeOut' });
  assert.ok(out?.until);
  assert.equal((await seen(item.guid))?.status, 'OUT_OF_STOCK');
  assert.equal(
    (await stock.list({ status: 'OUT_OF_STOCK' })).some(({ guid }) => guid === item.guid),
    true,
  );
  const { clock, done } = await moveClock(operator, 'next');
  assert.equal(clock.now, out.until);
  const work = { at: out.until, kind: 'stock', merchantGuid: restaurant, paymentUuid: null };
  const none = { fromState: null, cause: null, toState: null, webhook: null };
  assert.deepEqual(done, [{ ...work, ...none }]);
  assert.equal((await seen(item.guid))?.status, 'IN_STOCK');
  const [restored, set] = await stock.history({ item: item.guid });
  assert.deepEqual(
    [restored?.cause, restored?.by, restored?.at],
    ['RESTORED', 'system:clock', out.until],
  );
  assert.deepEqual([set?.cause, set?.by], ['SET', platform.demo.clients.operator.clientId]);
});

test('backOffice.stock.set 200: what a partner sets later is not undone by the clock', async () => {
  const item = nth(items, 1, 'item');
  await stock.set({ guid: item.guid, status: 'OUT_OF_STOCK', until: 'closeOut' });
  const json = [{ guid: item.guid, status: 'QUANTITY', quantity: 7 }];
  await partner.call('stock.update', 200, { restaurant, json });
  const { done } = await moveClock(operator, { advance: 'P2D' });
  assert.ok(done.every(({ kind }) => kind !== 'stock'));
  assert.equal((await seen(item.guid))?.quantity, 7);
  const [change] = await stock.history({ item: item.guid });
  const { clientId } = platform.demo.clients.partner;
  assert.deepEqual([change?.by, change?.cause], [clientId, 'SET']);
  assert.ok(change?.byName);
  assert.deepEqual(await stock.history({ item: item.guid, by: clientId }), [change]);
});

test('backOffice.stock.undo 200 409: undone while the item is as it was left', async () => {
  const item = nth(items, 2, 'item');
  const [out] = await stock.set({ guid: item.guid, status: 'OUT_OF_STOCK' });
  const change = String(out?.lastChange?.guid);
  const ranOut = async () => {
    const { results } = (await stock.ranOut()) as { results: { itemGuid: string }[] };
    return results.some(({ itemGuid }) => itemGuid === item.guid);
  };
  assert.equal(await ranOut(), true);
  await stock.undo(change);
  assert.equal((await seen(item.guid))?.status, 'IN_STOCK');
  assert.equal(await ranOut(), false, 'it never did');
  await partner.call('stock.update', 200, {
    ...{ restaurant, json: [{ guid: item.guid, status: 'QUANTITY', quantity: 3 }] },
  });
  const params = { restaurantGuid: restaurant, changeGuid: change };
  const refused = await operator.call('backOffice.stock.undo', 409, { params });
  assert.match(messageOf(refused), /it is QUANTITY 3 now/);
});

test('backOffice.stock.set 422: a list with a fault changes nothing', async () => {
  const item = nth(items, 3, 'item');
  const params = { restaurantGuid: restaurant };
  const changes = [
    { guid: item.guid, status: 'OUT_OF_STOCK' },
    { sku: 'no such thing', status: 'OUT_OF_STOCK' },
    { guid: item.guid, status: 'QUANTITY', quantity: -1 },
  ];
  const refused = await operator.call('backOffice.stock.set', 422, { params, json: { changes } });
  const { errors } = refused.json as { errors: { message: string }[] };
  assert.equal(errors.length, 2, 'all faults at once');
  assert.equal((await seen(item.guid))?.status, item.status);
});
