import type {
  Channel,
  MenusDocument,
  ResolvedMenu,
  ResolvedMenuGroup,
  ResolvedMenuItem,
  StoredFields,
} from '@servery/contract';
import type { MenuSupplement } from '@servery/pricing';
import { buttonOf, describe, goodsOf, identityOf, labelOf, visibilityOf } from './goods.ts';
import { Budget, MOST_BYTES, MOST_LEVELS, type Refusal, Refused } from './limits.ts';
import { type Cut, type HostPortions, Modifiers } from './modifiers.ts';
import { type EnteredPricing, resolvePrice } from './price.ts';
import { References } from './references.ts';
import { schedulesOf } from './schedules.ts';
import {
  compareTexts,
  indexObjects,
  type MenuSource,
  named,
  type Published,
  type PublishedObjects,
} from './source.ts';
import { supplementOf } from './supplement.ts';
import { defaultTaxes, type Taxes, taxesWithin } from './taxes.ts';
import { EVERYWHERE, shownWithin } from './visibility.ts';

/** The document without the time of its last change, which its recorder knows. */
export type ResolvedMenus = Omit<MenusDocument, 'lastUpdated'>;

export interface MenusResolution {
  /** Null if the restaurant has no menu. */
  readonly document: ResolvedMenus | null;
  /** The same as JSON, equal for equal sources. */
  readonly text: string | null;
  readonly supplement: MenuSupplement;
  readonly cuts: readonly Cut[];
  readonly refusal: null;
}

export interface RefusedMenus {
  readonly refusal: Refusal;
}

/** Makes the menus document from what is published (MENU-1, MENU-2). */
export function resolveMenus(source: MenuSource): MenusResolution | RefusedMenus {
  try {
    const resolver = new Resolver(source);
    return { ...resolver.resolve(), refusal: null };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    throw error;
  }
}

/** The text of a document with the time of its last change. */
export function withLastUpdated(text: string, lastUpdated: string): string {
  const afterGuid = text.indexOf(',') + 1;
  const field = `"lastUpdated":${JSON.stringify(lastUpdated)},`;
  return `${text.slice(0, afterGuid)}${field}${text.slice(afterGuid)}`;
}

/** What groups and items inherit in one place of a menu. */
interface Above {
  readonly menuGuid: string;
  readonly visibility: readonly Channel[];
  readonly taxes: Taxes;
  readonly pricing: EnteredPricing | null;
  readonly salesCategory: string | null;
  readonly unitOfMeasure: ResolvedMenuItem['unitOfMeasure'];
  /** The modifier groups for those that inherit, nearest group first. */
  readonly optionGroups: readonly string[];
  /** How many groups are above. */
  readonly level: number;
}

class Resolver {
  readonly #source: MenuSource;
  readonly #objects: PublishedObjects;
  readonly #budget = new Budget();
  readonly #modifiers: Modifiers;
  readonly #references: References;

  constructor(source: MenuSource) {
    this.#source = source;
    this.#objects = indexObjects(source.objects);
    this.#modifiers = new Modifiers(this.#objects, source.brand, this.#budget);
    this.#references = new References(this.#objects);
  }

  resolve() {
    const document = this.#document();
    const text = document && JSON.stringify(document);
    if (text !== null && Buffer.byteLength(text) > MOST_BYTES) this.#budget.refuseSize();
    return { document, text, supplement: supplementOf(this.#objects), cuts: this.#modifiers.cuts };
  }

  #document(): ResolvedMenus | null {
    const { restaurantGuid, timeZone } = this.#source;
    const menus = [...this.#objects.menus.values()].sort(byNameAndGuid);
    if (menus.length === 0) return null;
    return {
      restaurantGuid,
      restaurantTimeZone: timeZone,
      menus: menus.map((menu) => this.#menu(menu)),
      ...this.#references.maps(),
    };
  }

  #menu(menu: Published<'menus'>): ResolvedMenu {
    const { fields } = menu;
    const visibility = shownWithin(EVERYWHERE, fields);
    const above = {
      menuGuid: menu.guid,
      visibility,
      taxes: taxesWithin(defaultTaxes(this.#objects), fields, this.#objects),
      pricing: null,
      salesCategory: this.#live(fields.salesCategory),
      unitOfMeasure: fields.unitOfMeasure,
      optionGroups: [],
      level: 0,
    };
    return {
      ...identityOf(menu),
      ...buttonOf(menu),
      ...describe(menu),
      highResImage: null,
      visibility: visibilityOf(visibility, this.#source.brand),
      availability: availabilityOf(fields.availability),
      menuGroups: this.#groups(fields.groups, above),
    };
  }

  #groups(references: readonly string[], above: Above): ResolvedMenuGroup[] {
    const groups = named(this.#objects.menuGroups, references);
    return groups.map((group) => this.#group(group, above));
  }

  #group(group: Published<'menuGroups'>, above: Above): ResolvedMenuGroup {
    if (above.level >= MOST_LEVELS) this.#budget.refuseDepth('menuGroups', group);
    const { fields } = group;
    const visibility = shownWithin(above.visibility, fields);
    const inherited = fields.inheritOptionGroups ? above.optionGroups : [];
    const here = {
      menuGuid: above.menuGuid,
      visibility,
      taxes: taxesWithin(above.taxes, fields, this.#objects),
      pricing: fields.pricing ?? above.pricing,
      salesCategory: this.#salesCategory(fields, above),
      unitOfMeasure: fields.inheritUnitOfMeasure ? above.unitOfMeasure : fields.unitOfMeasure,
      optionGroups: [...fields.optionGroups, ...inherited],
      level: above.level + 1,
    };
    return {
      ...identityOf(group),
      ...buttonOf(group),
      ...describe(group),
      visibility: visibilityOf(visibility, this.#source.brand),
      itemTags: named(this.#objects.itemTags, fields.itemTags).map(labelOf),
      menuGroups: this.#groups(fields.subgroups, here),
      menuItems: named(this.#objects.menuItems, fields.items).map((item) => this.#item(item, here)),
    };
  }

  #item(item: Published<'menuItems'>, above: Above): ResolvedMenuItem {
    const { fields } = item;
    this.#budget.count(this.#modifiers.lengthOf(item), null);
    const visibility = shownWithin(above.visibility, fields);
    const { taxRates, taxInclusion } = taxesWithin(above.taxes, fields, this.#objects);
    const { price, pricingStrategy, pricingRules, sizeGroup } = resolvePrice(
      fields.pricing,
      above.pricing,
      above.menuGuid,
      this.#objects,
    );
    const portions: HostPortions = {
      items: named(this.#objects.menuItems, fields.portions),
      groups: [],
    };
    const host = {
      ...{ item, visibility, taxRates, menuGuid: above.menuGuid, sizes: sizeGroup, portions },
      path: this.#modifiers.pathBelow(item),
      level: 0,
    };
    const inherited = fields.inheritOptionGroups ? above.optionGroups : [];
    const optionGroups = [...fields.optionGroups, ...inherited];
    const groups = this.#modifiers.resolveGroups(host, sizeGroup, optionGroups);
    portions.groups = groups;
    const modifierGroupReferences = this.#references.numbersOf(groups);
    return {
      ...goodsOf(item, this.#objects),
      visibility: visibilityOf(visibility, this.#source.brand),
      ...{ price, pricingStrategy, pricingRules },
      isDeferred: fields.isDeferred,
      isDiscountable: fields.isDiscountable,
      salesCategory: this.#label(this.#salesCategory(fields, above)),
      taxInfo: [...taxRates],
      taxInclusion,
      unitOfMeasure: fields.inheritUnitOfMeasure ? above.unitOfMeasure : fields.unitOfMeasure,
      portions: this.#references.portionsOf(portions),
      eligiblePaymentAssistancePrograms: [],
      modifierGroupReferences,
      isComboParent: null,
    };
  }

  #salesCategory(
    { salesCategory, inheritSalesCategory }: SalesFields,
    above: Above,
  ): string | null {
    return this.#live(salesCategory) ?? (inheritSalesCategory ? above.salesCategory : null);
  }

  #live(salesCategory: string | null): string | null {
    return this.#objects.salesCategories.get(salesCategory ?? '')?.guid ?? null;
  }

  #label(salesCategory: string | null) {
    const found = this.#objects.salesCategories.get(salesCategory ?? '');
    return found ? labelOf(found) : null;
  }
}

type SalesFields = Pick<StoredFields<'menuItems'>, 'salesCategory' | 'inheritSalesCategory'>;

/** MENU-19. */
function availabilityOf({
  alwaysAvailable,
  schedule,
}: StoredFields<'menus'>['availability']): ResolvedMenu['availability'] {
  if (alwaysAvailable) return { alwaysAvailable };
  const hours = schedule.flatMap(({ days, timeRanges }) =>
    timeRanges.map((range) => ({ days, ...range })),
  );
  return { alwaysAvailable, schedule: schedulesOf(hours) };
}

/** MENU-23. */
function byNameAndGuid(one: Published<'menus'>, other: Published<'menus'>): number {
  return compareTexts(one.fields.name, other.fields.name) || compareTexts(one.guid, other.guid);
}
