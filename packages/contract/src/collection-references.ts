import type { CollectionName } from './collections.ts';

export interface ReferenceField {
  readonly field: string;
  readonly target: CollectionName;
  readonly many: boolean;
  readonly kind: 'Reference' | 'ExternalReference';
  /** True if the whole object replaces a reference (CFG-4: `applicableTaxes`). */
  readonly embed?: boolean;
}

const one = (
  field: string,
  target: CollectionName,
  kind: ReferenceField['kind'] = 'ExternalReference',
): ReferenceField => ({ field, target, many: false, kind });

const many = (field: string, target: CollectionName): ReferenceField => ({
  field,
  target,
  many: true,
  kind: 'ExternalReference',
});

export const collectionReferences: Readonly<Record<CollectionName, readonly ReferenceField[]>> = {
  alternatePaymentTypes: [],
  breakTypes: [],
  cashDrawers: [one('printer', 'printers', 'Reference')],
  diningOptions: [],
  discounts: [],
  menuGroups: [
    one('menu', 'menus'),
    one('parent', 'menuGroups'),
    many('items', 'menuItems'),
    many('subgroups', 'menuGroups'),
    many('optionGroups', 'menuOptionGroups'),
  ],
  menuItems: [many('optionGroups', 'menuOptionGroups')],
  menuOptionGroups: [many('options', 'menuItems')],
  menus: [many('groups', 'menuGroups')],
  noSaleReasons: [],
  payoutReasons: [],
  preModifierGroups: [],
  preModifiers: [one('parent', 'preModifierGroups', 'Reference')],
  priceGroups: [],
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
