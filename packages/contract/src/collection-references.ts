import type { CollectionName } from './collections.ts';

export interface ReferenceField {
  /** `[]` stands for each entry of a list: `pricing.menuPrices[].menu`. */
  readonly field: string;
  readonly target: CollectionName;
  /** A list of references. */
  readonly many: boolean;
  /** How partners see it; null if only the back office does. */
  readonly kind: 'Reference' | 'ExternalReference' | null;
  /** True if the whole object replaces a reference (CFG-4: `applicableTaxes`). */
  readonly embed?: boolean;
}

const one = (
  field: string,
  target: CollectionName,
  kind: ReferenceField['kind'] = 'ExternalReference',
): ReferenceField => ({ field, target, many: false, kind });

const many = (
  field: string,
  target: CollectionName,
  kind: ReferenceField['kind'] = 'ExternalReference',
): ReferenceField => ({ field, target, many: true, kind });

const taxes = many('taxRates', 'taxRates', null);
const salesCategory = one('salesCategory', 'salesCategories', null);
const itemTags = many('itemTags', 'itemTags', null);
const sizeGroup = one('pricing.sizeGroup', 'menuOptionGroups', null);
const priceGroup = one('pricing.priceGroup', 'priceGroups', null);
const menuPrices = one('pricing.menuPrices[].menu', 'menus', null);

export const collectionReferences: Readonly<Record<CollectionName, readonly ReferenceField[]>> = {
  alternatePaymentTypes: [],
  breakTypes: [],
  cashDrawers: [one('printer', 'printers', 'Reference')],
  diningOptions: [],
  discounts: [
    many('rule.items', 'menuItems', null),
    many('rule.groups', 'menuGroups', null),
    many('rule.excludedItems', 'menuItems', null),
    many('rule.excludedGroups', 'menuGroups', null),
    many('rule.requiredItems', 'menuItems', null),
    many('rule.requiredGroups', 'menuGroups', null),
    many('rule.diningOptions', 'diningOptions', null),
    many('rule.buy.items', 'menuItems', null),
    many('rule.buy.groups', 'menuGroups', null),
    many('rule.get.items', 'menuItems', null),
    many('rule.get.groups', 'menuGroups', null),
  ],
  itemTags: [],
  menuGroups: [
    one('menu', 'menus'),
    one('parent', 'menuGroups'),
    many('items', 'menuItems'),
    many('subgroups', 'menuGroups'),
    many('optionGroups', 'menuOptionGroups'),
    ...[taxes, salesCategory, itemTags, menuPrices, sizeGroup, priceGroup],
  ],
  menuItems: [
    many('optionGroups', 'menuOptionGroups'),
    ...[taxes, salesCategory, itemTags, menuPrices, sizeGroup, priceGroup],
    many('portions', 'menuItems', null),
    one('defaultOptions[].optionGroup', 'menuOptionGroups', null),
    one('defaultOptions[].item', 'menuItems', null),
  ],
  menuOptionGroups: [
    many('options', 'menuItems'),
    one('preModifierGroup', 'preModifierGroups', null),
    one('optionSettings[].item', 'menuItems', null),
  ],
  menus: [many('groups', 'menuGroups'), taxes, salesCategory],
  noSaleReasons: [],
  payoutReasons: [],
  preModifierGroups: [],
  preModifiers: [one('parent', 'preModifierGroups', 'Reference')],
  priceGroups: [menuPrices, sizeGroup, priceGroup],
  printers: [],
  restaurantServices: [],
  revenueCenters: [],
  salesCategories: [],
  serviceAreas: [one('revenueCenter', 'revenueCenters')],
  serviceCharges: [
    { field: 'applicableTaxes', target: 'taxRates', many: true, kind: 'Reference', embed: true },
  ],
  tables: [one('serviceArea', 'serviceAreas', 'Reference'), one('revenueCenter', 'revenueCenters')],
  taxRates: [],
  voidReasons: [],
};

export const partnerReferences = (name: CollectionName): readonly ReferenceField[] =>
  collectionReferences[name].filter(({ kind }) => kind !== null);
