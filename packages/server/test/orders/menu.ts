import { createHash } from 'node:crypto';
import type {
  MenusDocument,
  ModifierGroup,
  ModifierOption,
  PricingRules,
  ResolvedMenuGroup,
  ResolvedMenuItem,
  ResolvedPreModifier,
} from '@servery/contract';
import type { MenuSupplement } from '@servery/pricing';
import type { PublishedMenus } from '../../src/orders/read-order/menu-index.ts';

/** The GUID of a thing in these tests: each name has its own, the same in every restaurant. */
export function guidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export const multiLocationIdOf = (name: string) =>
  String(BigInt(`0x${guidOf(name).slice(0, 12).replace('-', '')}`));

/** What a test says of a menu; names stand for GUIDs. */
export interface TestMenu {
  readonly items: readonly ResolvedMenuItem[];
  /** By reference id, as in the document. */
  readonly groups?: Readonly<Record<number, ModifierGroup>>;
  readonly options?: Readonly<Record<number, ModifierOption>>;
  readonly preModifiers?: Readonly<Record<number, readonly ResolvedPreModifier[]>>;
  readonly supplement?: Partial<MenuSupplement>;
}

const button = { posName: '', posButtonColorLight: '#f7f7f7', posButtonColorDark: '#1a1c23' };

const identity = (name: string) => ({
  name,
  guid: guidOf(name),
  multiLocationId: multiLocationIdOf(name),
  masterId: Number(multiLocationIdOf(name)),
  ...button,
  description: '',
  image: null,
  visibility: ['POS', 'ORDERING_PARTNERS'],
});

const goods = {
  images: [],
  kitchenName: '',
  itemTags: [],
  plu: '',
  sku: '',
  calories: null,
  contentAdvisories: { alcohol: { containsAlcohol: null } },
  unitOfMeasure: 'NONE',
  portions: [],
  prepTime: null,
  prepStations: [],
  allergens: [],
  length: null,
  height: null,
  width: null,
  dimensionUnitOfMeasure: null,
  weight: null,
  weightUnitOfMeasure: null,
  guestCount: null,
  sortOrder: null,
  pricingStrategy: 'BASE_PRICE',
  pricingRules: null,
  salesCategory: null,
  taxInfo: [],
  modifierGroupReferences: [],
} as const;

export function item(
  name: string,
  price: number | null,
  fields: Partial<ResolvedMenuItem> = {},
): ResolvedMenuItem {
  const { taxInfo = [] } = fields;
  return {
    ...identity(name),
    ...(goods as unknown as Pick<ResolvedMenuItem, keyof typeof goods>),
    price,
    isDeferred: false,
    isDiscountable: true,
    taxInclusion: 'TAX_NOT_INCLUDED',
    eligiblePaymentAssistancePrograms: [],
    isComboParent: null,
    ...fields,
    taxInfo: taxInfo.map(guidOf),
  };
}

export function option(
  name: string,
  price: number | null,
  fields: Partial<ModifierOption> = {},
): ModifierOption {
  return {
    ...identity(name),
    ...(goods as unknown as Pick<ModifierOption, keyof typeof goods>),
    referenceId: 1,
    price,
    modifierOptionTaxInfo: { taxRateGuids: [], overrideItemTaxRates: false },
    isDefault: false,
    allowsDuplicates: false,
    ...fields,
  };
}

export function taxedBy(rates: readonly string[], overrideItemTaxRates = false) {
  return { modifierOptionTaxInfo: { taxRateGuids: rates.map(guidOf), overrideItemTaxRates } };
}

export function group(
  name: string,
  options: readonly number[],
  fields: Partial<ModifierGroup> = {},
): ModifierGroup {
  return {
    ...identity(name),
    referenceId: 1,
    pricingStrategy: 'NONE',
    pricingRules: null,
    defaultOptionsChargePrice: 'YES',
    defaultOptionsSubstitutionPricing: 'NO',
    minSelections: 0,
    maxSelections: null,
    requiredMode: 'OPTIONAL',
    isMultiSelect: true,
    preModifierGroupReference: null,
    modifierOptionReferences: [...options],
    ...fields,
  };
}

export function rules(fields: Partial<PricingRules>): PricingRules {
  return {
    timeSpecificPricingRules: [],
    sizeSpecificPricingGuid: null,
    sizeSequencePricingRules: [],
    ...fields,
  };
}

export function sequence(sizeName: string | null, prices: readonly number[]) {
  return {
    sizeName,
    sizeGuid: sizeName && guidOf(sizeName),
    sequencePrices: prices.map((price, index) => ({ sequence: index + 1, price })),
  };
}

export function preModifier(
  name: string,
  fields: Partial<ResolvedPreModifier>,
): ResolvedPreModifier {
  return {
    ...identity(name),
    fixedPrice: null,
    multiplicationFactor: null,
    chargeAsExtra: null,
    displayMode: 'PREFIX',
    plu: '',
    ...fields,
  };
}

/** One menu with the group Food, in which all items are. */
export function menusOf(menu: TestMenu, timeZone = 'America/New_York'): PublishedMenus {
  const { items, groups = {}, options = {}, preModifiers = {}, supplement = {} } = menu;
  const food: ResolvedMenuGroup = {
    ...identity('Food'),
    itemTags: [],
    menuGroups: [],
    menuItems: [...items],
  };
  const document: MenusDocument = {
    restaurantGuid: guidOf('the restaurant'),
    lastUpdated: '2026-01-31T18:30:00.000+0000',
    restaurantTimeZone: timeZone,
    menus: [
      {
        ...identity('Menu'),
        highResImage: null,
        availability: { alwaysAvailable: true },
        menuGroups: [food],
      },
    ],
    modifierGroupReferences: groups,
    modifierOptionReferences: options,
    preModifierGroupReferences: Object.fromEntries(
      Object.entries(preModifiers).map(([id, all]) => [
        id,
        { ...identity(`pre-modifiers ${id}`), referenceId: Number(id), preModifiers: [...all] },
      ]),
    ),
  };
  return {
    document,
    supplement: { noChargePrices: [], uniquelyTaxedItems: [], ...supplement },
    externalIds: new Map(),
  };
}

/** Orders an item. */
export function select(name: string, fields: Readonly<Record<string, unknown>> = {}) {
  return { itemGroup: { guid: guidOf('Food') }, item: { guid: guidOf(name) }, ...fields };
}

/** Orders an option of a modifier group. */
export function modify(
  groupName: string,
  name: string,
  fields: Readonly<Record<string, unknown>> = {},
) {
  return { optionGroup: { guid: guidOf(groupName) }, item: { guid: guidOf(name) }, ...fields };
}
