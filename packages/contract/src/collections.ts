import type { Static, TSchema } from 'typebox';
import { ItemTag } from './schemas/item-tag.ts';
import type { SchemaName } from './schemas.ts';
import { schemas } from './schemas.ts';

export interface Collection {
  readonly name: string;
  /** Also the `entityType` of its objects (CFG-7). */
  readonly object: SchemaName | 'ItemTag';
  readonly tag: string;
  readonly reference: 'Reference' | 'ExternalReference';
  readonly schema: TSchema;
  /** Only the back office and documents have it. */
  readonly isOfficeOnly?: true;
}

export const collections = [
  {
    name: 'alternatePaymentTypes',
    object: 'AlternatePaymentType',
    tag: 'Alternate Payment Types',
    reference: 'ExternalReference',
    schema: schemas.AlternatePaymentType,
  },
  {
    name: 'breakTypes',
    object: 'BreakType',
    tag: 'Break Types',
    reference: 'Reference',
    schema: schemas.BreakType,
  },
  {
    name: 'cashDrawers',
    object: 'CashDrawer',
    tag: 'Cash Drawers',
    reference: 'Reference',
    schema: schemas.CashDrawer,
  },
  {
    name: 'diningOptions',
    object: 'DiningOption',
    tag: 'Dining Options',
    reference: 'ExternalReference',
    schema: schemas.DiningOption,
  },
  {
    name: 'discounts',
    object: 'Discount',
    tag: 'Discounts',
    reference: 'Reference',
    schema: schemas.Discount,
  },
  {
    name: 'itemTags',
    object: 'ItemTag',
    tag: 'Item Tags',
    reference: 'Reference',
    schema: ItemTag,
    isOfficeOnly: true,
  },
  {
    name: 'menuGroups',
    object: 'MenuGroup',
    tag: 'Menu Groups',
    reference: 'ExternalReference',
    schema: schemas.MenuGroup,
  },
  {
    name: 'menuItems',
    object: 'MenuItem',
    tag: 'Menu Items',
    reference: 'ExternalReference',
    schema: schemas.MenuItem,
  },
  {
    name: 'menuOptionGroups',
    object: 'MenuOptionGroup',
    tag: 'Modifier Groups',
    reference: 'ExternalReference',
    schema: schemas.MenuOptionGroup,
  },
  {
    name: 'menus',
    object: 'Menu',
    tag: 'Menus',
    reference: 'ExternalReference',
    schema: schemas.Menu,
  },
  {
    name: 'noSaleReasons',
    object: 'NoSaleReason',
    tag: 'No Sale Reasons',
    reference: 'Reference',
    schema: schemas.NoSaleReason,
  },
  {
    name: 'payoutReasons',
    object: 'PayoutReason',
    tag: 'Payout Reasons',
    reference: 'Reference',
    schema: schemas.PayoutReason,
  },
  {
    name: 'preModifierGroups',
    object: 'PreModifierGroup',
    tag: 'Pre Modifier Groups',
    reference: 'Reference',
    schema: schemas.PreModifierGroup,
  },
  {
    name: 'preModifiers',
    object: 'PreModifier',
    tag: 'Pre Modifiers',
    reference: 'Reference',
    schema: schemas.PreModifier,
  },
  {
    name: 'priceGroups',
    object: 'PriceGroup',
    tag: 'Price Groups',
    reference: 'Reference',
    schema: schemas.PriceGroup,
  },
  {
    name: 'printers',
    object: 'Printer',
    tag: 'Printers',
    reference: 'Reference',
    schema: schemas.Printer,
  },
  {
    name: 'restaurantServices',
    object: 'RestaurantService',
    tag: 'Restaurant Services',
    reference: 'Reference',
    schema: schemas.RestaurantService,
  },
  {
    name: 'revenueCenters',
    object: 'RevenueCenter',
    tag: 'Revenue Centers',
    reference: 'Reference',
    schema: schemas.RevenueCenter,
  },
  {
    name: 'salesCategories',
    object: 'SalesCategory',
    tag: 'Sales Categories',
    reference: 'Reference',
    schema: schemas.SalesCategory,
  },
  {
    name: 'serviceAreas',
    object: 'ServiceArea',
    tag: 'Service Areas',
    reference: 'Reference',
    schema: schemas.ServiceArea,
  },
  {
    name: 'serviceCharges',
    object: 'ServiceCharge',
    tag: 'Service Charges',
    reference: 'ExternalReference',
    schema: schemas.ServiceCharge,
  },
  {
    name: 'tables',
    object: 'Table',
    tag: 'Tables',
    reference: 'Reference',
    schema: schemas.Table,
  },
  {
    name: 'taxRates',
    object: 'TaxRate',
    tag: 'Tax Rates',
    reference: 'Reference',
    schema: schemas.TaxRate,
  },
  {
    name: 'voidReasons',
    object: 'VoidReason',
    tag: 'Void Reasons',
    reference: 'Reference',
    schema: schemas.VoidReason,
  },
] as const satisfies readonly Collection[];

type Entry = (typeof collections)[number];

export type CollectionName = Entry['name'];

type PartnerCollection = Exclude<Entry, { readonly isOfficeOnly: true }>;

export type PartnerCollectionName = PartnerCollection['name'];

/** The collections of the configuration interface (CFG-1). */
export const partnerCollections = collections.filter(
  (entry): entry is PartnerCollection => !('isOfficeOnly' in entry),
);

export type CollectionObjects = {
  [Each in Entry as Each['name']]: Static<Each['schema']>;
};

const byName = new Map<string, Collection>(collections.map((entry) => [entry.name, entry]));

export const isCollectionName = (name: string): name is CollectionName => byName.has(name);

export function collectionByName(name: CollectionName): Collection {
  const found = byName.get(name);
  if (!found) throw new Error(`There is no collection ${name}.`);
  return found;
}
