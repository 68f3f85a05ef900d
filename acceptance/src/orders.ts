import assert from 'node:assert/strict';
import type { DiningOption, MenusDocument, ResolvedMenuItem } from '@servery/contract';
import type { Client } from './client.ts';

/** What a caller can order for take-out at a restaurant. */
export async function orderable(caller: Client, restaurant: string) {
  const { menus } = (await caller.call('menus.get', 200, { restaurant })).json as MenusDocument;
  const isPlain = ({ price, modifierGroupReferences }: ResolvedMenuItem) =>
    price !== null && price > 0 && modifierGroupReferences.length === 0;
  const group = menus
    .flatMap(({ menuGroups }) => menuGroups)
    .find(({ menuItems }) => menuItems.some(isPlain));
  const item = group?.menuItems.find(isPlain);
  const diningOptions = await caller.call('configuration.diningOptions.list', 200, { restaurant });
  const takeOut = (diningOptions.json as DiningOption[]).find(
    ({ behavior }) => behavior === 'TAKE_OUT',
  );
  assert.ok(group && item && takeOut);
  const selection = { itemGroup: { guid: group.guid }, item: { guid: item.guid } };
  const customer = { firstName: 'Ada', lastName: 'Lovelace', phone: '6175550123' };
  const orderOf = (more: object = {}, check: object = {}) => ({
    diningOption: { guid: takeOut.guid },
    checks: [{ selections: [selection], customer, ...check }],
    ...more,
  });
  return { item, selection, customer, orderOf };
}
