import type { Pricing, StoredFields } from '@servery/contract';
import { shown } from '../../../document/shown.ts';
import type { LiveObjects, Placed } from './live-objects.ts';

type Item = StoredFields<'menuItems'>;
type Group = StoredFields<'menuGroups'>;
type OptionGroup = StoredFields<'menuOptionGroups'>;
type Inclusion = Item['taxInclusion'];
type AnyPricing = Omit<Pricing, 'strategy'> & { readonly strategy: string };

/** What an item inherits where it is: from its menu group, the groups around that, and the menu. */
interface Context {
  readonly groupName: string;
  readonly pricing: AnyPricing | null;
  readonly optionGroups: readonly string[];
  readonly taxRates: readonly string[];
  readonly taxInclusion: Inclusion;
}

/** Rules that depend on the menu group and the menu that an item is in. */
export function checkItemsInMenus(live: LiveObjects): void {
  const contexts = contextsOf(live);
  const known = new Set<string>();
  for (const [guid, { fields }] of live.menuGroups) {
    const context = contexts(guid);
    for (const item of fields.items) {
      const placed = live.menuItems.get(item);
      // One fault for one place, however many menus an item is in.
      if (placed) checkItem(placed, context, live, (fault) => isNew(known, `${item} ${fault}`));
    }
  }
}

function isNew(known: Set<string>, key: string): boolean {
  if (known.has(key)) return false;
  known.add(key);
  return true;
}

function checkItem(
  { fields: item, place }: Placed<Item>,
  context: Context,
  live: LiveObjects,
  isFirst: (fault: string) => boolean,
): void {
  const own = item.pricing;
  const usesGroup = own === null || own.strategy === 'GROUP_PRICE';
  if (own?.strategy === 'GROUP_PRICE' && context.pricing === null && isFirst('group')) {
    const message = `is GROUP_PRICE, but the menu group ${shown(context.groupName)} has no pricing`;
    place.fault(message, 'pricing', 'strategy');
  }
  const included = (item.taxInclusion ?? context.taxInclusion) === 'TAX_INCLUDED';
  const rates = item.taxRates ?? context.taxRates;
  const table = included
    ? rates.map((guid) => live.taxRates.get(guid)?.fields).find((rate) => rate?.type === 'TABLE')
    : undefined;
  if (table && isFirst('table')) {
    const message =
      `must not be TAX_INCLUDED, also not by inheritance: ${shown(table.name)} is a tax table, ` +
      'which can only be added to a price';
    place.fault(message, 'taxInclusion');
  }
  const sizes = sizesOf(usesGroup ? context.pricing : own, live);
  const inherited = item.inheritOptionGroups ? context.optionGroups : [];
  for (const guid of new Set([...item.optionGroups, ...inherited])) {
    const group = live.menuOptionGroups.get(guid)?.fields;
    const fault = group && sizeFault(group, sizes);
    if (fault && isFirst(`${guid} ${fault}`)) place.fault(fault, 'optionGroups');
  }
}

/** Null for an item without sizes. */
function sizesOf(pricing: AnyPricing | null, live: LiveObjects): readonly string[] | null {
  const priced =
    pricing?.strategy === 'PRICE_LEVEL' && pricing.priceGroup !== null
      ? (live.priceGroups.get(pricing.priceGroup)?.fields.pricing ?? null)
      : pricing;
  if (priced?.strategy !== 'SIZE_PRICE' || priced.sizeGroup === null) return null;
  const group = live.menuOptionGroups.get(priced.sizeGroup)?.fields;
  return (group?.options ?? []).flatMap((guid) => live.menuItems.get(guid)?.fields.name ?? []);
}

function sizeFault(group: OptionGroup, sizes: readonly string[] | null): string | null {
  const { name, groupPricing, sizeBehavior } = group;
  if (groupPricing === null || sizeBehavior === 'OWN_SIZE') return null;
  if (!groupPricing.strategy.startsWith('SIZE_')) return null;
  if (sizes === null) {
    return `has ${shown(name)}, which is priced by size, but the item has no sizes`;
  }
  const priced = new Set(groupPricing.sizePrices.map(({ sizeName }) => sizeName));
  const missing = sizes.find((size) => !priced.has(size));
  if (missing === undefined) return null;
  return `has ${shown(name)}, which has no price for the size ${shown(missing)}`;
}

/** A group is asked for by each of its items and groups, so each is worked out once. */
function contextsOf(live: LiveObjects): (guid: string) => Context {
  const known = new Map<string, Context>();
  const defaultTaxes = [...live.taxRates]
    .filter(([, { fields }]) => fields.isDefault)
    .map(([guid]) => guid);
  const atTop = (menu: StoredFields<'menus'> | undefined): Context => ({
    groupName: '',
    pricing: null,
    optionGroups: [],
    taxRates: menu?.taxRates ?? defaultTaxes,
    taxInclusion: menu?.taxInclusion ?? 'TAX_NOT_INCLUDED',
  });
  return (guid) => {
    const way = wayUp(guid, live, known);
    const top = way.at(-1)?.group;
    const menu = live.menus.get(top?.menu ?? '')?.fields;
    let context = known.get(top?.parent ?? guid) ?? atTop(menu);
    for (const { guid: at, group } of way.toReversed()) {
      context = contextIn(group, context);
      known.set(at, context);
    }
    return context;
  };
}

function contextIn(group: Group, outer: Context): Context {
  const inherited = group.inheritOptionGroups ? outer.optionGroups : [];
  return {
    groupName: group.name,
    pricing: group.pricing ?? outer.pricing,
    optionGroups:
      group.optionGroups.length === 0 ? inherited : [...group.optionGroups, ...inherited],
    taxRates: group.taxRates ?? outer.taxRates,
    taxInclusion: group.taxInclusion ?? outer.taxInclusion,
  };
}

/** The group and those around it, up to one that is known. A circle is a fault of its own. */
function wayUp(from: string, live: LiveObjects, known: ReadonlyMap<string, Context>) {
  const way = new Map<string, Group>();
  let guid: string | null = from;
  while (guid !== null && !known.has(guid) && !way.has(guid)) {
    const group: Group | undefined = live.menuGroups.get(guid)?.fields;
    if (!group) break;
    way.set(guid, group);
    guid = group.parent;
  }
  return [...way].map(([at, group]) => ({ guid: at, group }));
}
