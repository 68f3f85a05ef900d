import assert from 'node:assert/strict';
import type {
  DiningOption,
  MenusDocument,
  ResolvedMenuGroup,
  ResolvedMenuItem,
} from '@servery/contract';
import type { Client } from './client.ts';

export const customer = { firstName: 'Ada', lastName: 'Lovelace', phone: '6175550123' };

const deliveryInfo = { address1: '1 Main Street', city: 'Boston', zipCode: '02110', state: 'MA' };

const selectionOf = (group: ResolvedMenuGroup, item: ResolvedMenuItem) => ({
  itemGroup: { guid: group.guid },
  item: { guid: item.guid },
});

/** What a restaurant sells that needs no modifiers, and orders of one of it. */
export async function openOrdering(partner: Client, restaurant: string) {
  const document = (await partner.call('menus.get', 200, { restaurant })).json as MenusDocument;
  const { menus, modifierGroupReferences: groups } = document;
  const isPlain = ({ price, modifierGroupReferences }: ResolvedMenuItem) =>
    price !== null &&
    price > 0 &&
    modifierGroupReferences.every((key) => groups[key]?.requiredMode !== 'REQUIRED');
  const selections = menus
    .flatMap(({ menuGroups }) => menuGroups)
    .flatMap((group) => group.menuItems.filter(isPlain).map((item) => selectionOf(group, item)));
  const answer = await partner.call('configuration.diningOptions.list', 200, { restaurant });
  const byBehavior = (behavior: string) => {
    const found = (answer.json as DiningOption[]).find((option) => option.behavior === behavior);
    assert.ok(found, `the demo restaurant has no ${behavior}`);
    return { guid: found.guid };
  };
  const [selection] = selections;
  assert.ok(selection);
  const takeOut = byBehavior('TAKE_OUT');
  const orderOf = (more: object = {}, check: object = {}) => ({
    diningOption: takeOut,
    checks: [{ selections: [selection], customer, ...check }],
    ...more,
  });
  const deliveryOf = () => orderOf({ diningOption: byBehavior('DELIVERY'), deliveryInfo });
  return { selections, selection, orderOf, deliveryOf };
}
