import type {
  ItemPortion,
  MenuItemInventory,
  MenusDocument,
  ModifierGroup,
  ModifierOption,
  PricingRules,
  ResolvedMenu,
  ResolvedMenuGroup,
  ResolvedMenuItem,
  ResolvedPreModifier,
} from '@servery/contract';
import { isInForce, type LocalTime, localTime, priceInForce, sizeGroupOf } from '@servery/pricing';

/** What the guest's menu depends on. */
export interface GuestMenuOptions {
  /** The instant. */
  readonly at: Date;
  /** Where the guest orders: a value of `visibility`. Default: `ORDERING_PARTNERS`. */
  readonly channel?: string;
  /** The result of `stock.list`: items that are limited or out of stock. */
  readonly stock?: readonly Pick<MenuItemInventory, 'guid' | 'status' | 'quantity'>[];
}

/** The menus of a restaurant as a guest sees them at an instant, in order. */
export interface GuestMenu {
  readonly lastUpdated: string;
  readonly timeZone: string;
  readonly menus: readonly GuestMenuSection[];
}

/** A menu that is offered at the instant. */
export interface GuestMenuSection extends Named<ResolvedMenu> {
  readonly groups: readonly GuestGroup[];
}

/** Common to everything here. `source` is the object in the document, with all its fields. */
interface Named<Source> {
  readonly guid: string;
  readonly name: string;
  readonly source: Source;
}

export interface GuestGroup extends Named<ResolvedMenuGroup> {
  readonly groups: readonly GuestGroup[];
  readonly items: readonly GuestItem[];
}

/** Common to items and options. */
interface Goods {
  /** The price at the instant. Null if the size, the place in a sequence, or the order decides. */
  readonly price: number | null;
  /** If it is out of stock, an order with it is refused. */
  readonly stock: 'IN_STOCK' | 'QUANTITY' | 'OUT_OF_STOCK';
  /** How many are left, if the stock is limited. */
  readonly quantity: number | null;
  readonly modifierGroups: readonly GuestModifierGroup[];
}

export interface GuestItem extends Named<ResolvedMenuItem>, Goods {
  /** The group to name in an order as the group of this item. */
  readonly itemGroup: string;
  /** The sizes to choose from; empty if it has none. */
  readonly sizes: readonly GuestSize[];
  /** The lowest possible price; null for an open price. */
  readonly priceFrom: number | null;
  readonly portions: readonly GuestPortion[];
  /** False if it has no price or stock, or if there is nothing to choose for a required choice. */
  readonly canOrder: boolean;
}

/** A size: an option of the item's size group. Order it as a modifier. */
export interface GuestSize {
  readonly guid: string;
  readonly name: string;
  readonly price: number;
  readonly optionGroup: string;
  readonly canOrder: boolean;
}

/** A part of an item that can have its own modifiers, for example one half. */
export interface GuestPortion extends Named<ItemPortion> {
  readonly modifierGroups: readonly GuestModifierGroup[];
}

export interface GuestModifierGroup extends Named<ModifierGroup> {
  /** Whether its options are the sizes of the item. */
  readonly isSize: boolean;
  readonly minSelections: number;
  /** Null for no limit. */
  readonly maxSelections: number | null;
  readonly options: readonly GuestOption[];
  /** Words that change an option and its price, for example EXTRA (pre-modifiers). */
  readonly preModifiers: readonly ResolvedPreModifier[];
}

export interface GuestOption extends Named<ModifierOption>, Goods {
  /** Prices by size and position, if these decide; otherwise empty. */
  readonly prices: readonly GuestPrices[];
  /** Whether it comes with the item unless the guest leaves it out. */
  readonly isDefault: boolean;
  /** Whether one portion of it is free because it is a default. */
  readonly isIncluded: boolean;
  readonly canOrder: boolean;
}

/** Prices of an option for one size. */
export interface GuestPrices {
  /** The option of the size group; null if the size doesn't matter. */
  readonly size: string | null;
  /** By position among the chosen options of the group. The last one is for all later positions. */
  readonly prices: readonly number[];
}

/**
 * The menus as a tree that a guest can see: with references resolved, hidden and unavailable parts
 * left out, the prices at the instant, and stock merged in. Items that are out of stock stay.
 */
export function guestMenu(document: MenusDocument, options: GuestMenuOptions): GuestMenu {
  const { restaurantTimeZone: timeZone, lastUpdated, menus } = document;
  const building = new Building(document, options);
  return { lastUpdated, timeZone, menus: menus.flatMap((menu) => building.menu(menu)) };
}

class Building {
  readonly #document: MenusDocument;
  readonly #channel: string;
  readonly #now: () => LocalTime;
  readonly #stock: ReadonlyMap<string | null, Pick<MenuItemInventory, 'status' | 'quantity'>>;
  /** Builds each entry of the document only once, even if many items refer to it. */
  readonly #groups = new Map<string, GuestModifierGroup | null>();
  readonly #options = new Map<string, GuestOption>();

  constructor(document: MenusDocument, { at, channel, stock = [] }: GuestMenuOptions) {
    this.#document = document;
    this.#channel = channel ?? 'ORDERING_PARTNERS';
    const now = localTime(at.getTime(), document.restaurantTimeZone);
    this.#now = () => now;
    this.#stock = new Map(stock.map((one) => [one.guid, one]));
  }

  menu(source: ResolvedMenu): GuestMenuSection[] {
    const { guid, name, availability, menuGroups } = source;
    const isOffered =
      availability.alwaysAvailable ||
      (availability.schedule ?? []).some((each) => isInForce(each, this.#now()));
    if (!isOffered || !this.#isVisible(source)) return [];
    const groups = menuGroups.flatMap((group) => this.#group(group));
    return groups.length === 0 ? [] : [{ guid, name, groups, source }];
  }

  #group(source: ResolvedMenuGroup): GuestGroup[] {
    if (!this.#isVisible(source)) return [];
    const { guid, name } = source;
    const groups = source.menuGroups.flatMap((group) => this.#group(group));
    const visible = source.menuItems.filter((item) => this.#isVisible(item));
    const items = visible.map((item) => this.#item(item, guid));
    return groups.length + items.length === 0 ? [] : [{ guid, name, groups, items, source }];
  }

  #item(source: ResolvedMenuItem, itemGroup: string): GuestItem {
    const { guid, name, pricingStrategy } = source;
    const sizeGroup = sizeGroupOf(source, this.#document)?.guid;
    const modifierGroups = this.#modifierGroups(source.modifierGroupReferences, sizeGroup);
    const sizes = modifierGroups
      .filter(({ isSize }) => isSize)
      .flatMap(({ guid: optionGroup, options }) =>
        options.map(({ guid, name, source: { price }, canOrder }) => {
          return { guid, name, price: price ?? 0, optionGroup, canOrder };
        }),
      );
    const price = priceInForce(source, this.#now);
    const prices = price === null ? sizes.map((size) => size.price) : [price];
    const isPriced = prices.length > 0 || pricingStrategy === 'OPEN_PRICE';
    const stock = this.#stockOf(guid);
    return {
      ...{ guid, name, itemGroup, price, sizes, modifierGroups, ...stock, source },
      priceFrom: prices.length > 0 ? Math.min(...prices) : null,
      portions: source.portions.map((portion) => ({
        ...{ guid: portion.guid, name: portion.name, source: portion },
        modifierGroups: this.#modifierGroups(portion.modifierGroupReferences, sizeGroup),
      })),
      canOrder: isPriced && canOrder(stock, modifierGroups),
    };
  }

  #modifierGroups(
    references: readonly number[],
    sizeGroup: string | undefined,
  ): GuestModifierGroup[] {
    return references.flatMap((reference) => this.#modifierGroup(reference, sizeGroup) ?? []);
  }

  #modifierGroup(reference: number, sizeGroup: string | undefined): GuestModifierGroup | null {
    const source = this.#document.modifierGroupReferences[reference];
    if (!source) return null;
    const isSize = source.guid === sizeGroup;
    const key = `${reference} ${isSize}`;
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    // A document with circular references ends here.
    this.#groups.set(key, null);
    const built = this.#buildGroup(source, isSize);
    this.#groups.set(key, built);
    return built;
  }

  #buildGroup(source: ModifierGroup, isSize: boolean): GuestModifierGroup | null {
    const { guid, name, minSelections, maxSelections, preModifierGroupReference } = source;
    if (!this.#isVisible(source)) return null;
    const { modifierOptionReferences, preModifierGroupReferences } = this.#document;
    const options = source.modifierOptionReferences.flatMap((reference) => {
      const option = modifierOptionReferences[reference];
      return option && this.#isVisible(option) ? this.#option(reference, option, source) : [];
    });
    const preModifiers =
      preModifierGroupReference === null
        ? []
        : (preModifierGroupReferences[preModifierGroupReference]?.preModifiers ?? []);
    return {
      ...{ guid, name, isSize, maxSelections, options, preModifiers, source },
      minSelections: Math.max(minSelections, source.requiredMode === 'REQUIRED' ? 1 : 0),
    };
  }

  #option(reference: number, source: ModifierOption, group: ModifierGroup): GuestOption {
    const key = `${reference} ${group.referenceId}`;
    const known = this.#options.get(key);
    if (known) return known;
    const { guid, name, isDefault, pricingStrategy } = source;
    const sizeGroup = sizeGroupOf(source, this.#document)?.guid;
    const modifierGroups = this.#modifierGroups(source.modifierGroupReferences, sizeGroup);
    const stock = this.#stockOf(guid);
    const isOfGroup = pricingStrategy === 'GROUP_PRICE';
    const option = {
      ...{ guid, name, isDefault, modifierGroups, ...stock, source },
      price: priceInForce(source, this.#now),
      prices: pricesOf(isOfGroup ? group.pricingRules : source.pricingRules),
      isIncluded: isDefault && group.defaultOptionsChargePrice === 'NO',
      canOrder: canOrder(stock, modifierGroups),
    };
    this.#options.set(key, option);
    return option;
  }

  #isVisible({ visibility }: { readonly visibility: readonly string[] }): boolean {
    return visibility.includes(this.#channel);
  }

  #stockOf(guid: string): Pick<Goods, 'stock' | 'quantity'> {
    const { status = 'IN_STOCK', quantity = null } = this.#stock.get(guid) ?? {};
    return { stock: status, quantity };
  }
}

function pricesOf(rules: PricingRules | null): GuestPrices[] {
  return (rules?.sizeSequencePricingRules ?? []).map(({ sizeGuid: size, sequencePrices }) => {
    return { size, prices: sequencePrices.map(({ price }) => price) };
  });
}

/** Whether there is enough to choose from, wherever a choice is required. */
function canOrder({ stock }: Pick<Goods, 'stock'>, groups: readonly GuestModifierGroup[]): boolean {
  if (stock === 'OUT_OF_STOCK') return false;
  return groups.every(({ options, minSelections }) => {
    const choices = options.filter((option) => option.canOrder);
    const isEndless = choices.some(({ source }) => source.allowsDuplicates);
    return choices.length >= minSelections || isEndless;
  });
}
