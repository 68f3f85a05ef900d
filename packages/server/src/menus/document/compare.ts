import type { MenuPriceChange, ResolvedMenuGroup, ResolvedMenuItem } from '@servery/contract';
import type { ResolvedMenus } from './resolve.ts';

type PriceInMenu = Omit<MenuPriceChange, 'oldPrice' | 'newPrice'> & {
  readonly price: number | null;
};

/** Items and sizes that are in both, with another price (MENU-9). */
export function priceChanges(
  before: ResolvedMenus | null,
  after: ResolvedMenus | null,
): MenuPriceChange[] {
  const old = pricesOf(before);
  return [...pricesOf(after)].flatMap(([key, { price: newPrice, ...named }]) => {
    const oldPrice = old.get(key)?.price;
    if (oldPrice === undefined || oldPrice === newPrice) return [];
    return { ...named, oldPrice, newPrice };
  });
}

function pricesOf(document: ResolvedMenus | null): ReadonlyMap<string, PriceInMenu> {
  const prices = new Map<string, PriceInMenu>();
  for (const { menu, group, item } of itemsOf(document)) {
    const named = { menu: menu.name, group: group.name, item: item.name, itemGuid: item.guid };
    const key = [menu.guid, group.guid, item.guid];
    prices.set(key.join(), { ...named, size: null, price: item.price });
    for (const size of sizesOf(item, document)) {
      const sized = { ...named, size: size.name, price: size.price };
      prices.set([...key, size.guid].join(), sized);
    }
  }
  return prices;
}

function sizesOf({ pricingRules, modifierGroupReferences }: ResolvedMenuItem, all: Maps | null) {
  const sizes = modifierGroupReferences
    .flatMap((reference) => all?.modifierGroupReferences[reference] ?? [])
    .find(({ guid }) => guid === pricingRules?.sizeSpecificPricingGuid);
  const references = sizes?.modifierOptionReferences ?? [];
  return references.flatMap((reference) => all?.modifierOptionReferences[reference] ?? []);
}

type Maps = Pick<ResolvedMenus, 'modifierGroupReferences' | 'modifierOptionReferences'>;

export interface ItemInMenu {
  readonly menu: ResolvedMenus['menus'][number];
  readonly group: ResolvedMenuGroup;
  readonly item: ResolvedMenuItem;
}

/** All items, each in its menu and group, in the order of the document. */
export function itemsOf(document: ResolvedMenus | null): ItemInMenu[] {
  return (document?.menus ?? []).flatMap((menu) => {
    const below = (group: ResolvedMenuGroup): ItemInMenu[] => [
      ...group.menuItems.map((item) => ({ menu, group, item })),
      ...group.menuGroups.flatMap(below),
    ];
    return menu.menuGroups.flatMap(below);
  });
}
