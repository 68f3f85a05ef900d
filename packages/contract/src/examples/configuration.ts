import {
  type Examples,
  exampleGuid,
  externalReference as external,
  reference,
  serials,
} from './example.ts';

const image = { url: 'https://images.example/kitchen/fish-tacos.jpg' };

const TaxRate = {
  guid: exampleGuid(serials.taxRate),
  entityType: 'TaxRate',
  name: 'State sales tax',
  isDefault: true,
  rate: 0.0625,
  type: 'PERCENT',
  roundingType: 'HALF_UP',
  taxTable: [],
  conditionalTaxRates: [{ condition: 'Takeout', rate: 0.05 }],
} as const satisfies Examples<'TaxRate'>['TaxRate'];

const menus: Examples<
  | 'Menu'
  | 'MenuGroup'
  | 'MenuItem'
  | 'MenuOptionGroup'
  | 'PreModifier'
  | 'PreModifierGroup'
  | 'PriceGroup'
  | 'SalesCategory'
> = {
  Menu: {
    guid: exampleGuid(serials.menu),
    entityType: 'Menu',
    externalId: 'KITCHEN:dinner',
    name: 'Dinner',
    orderableOnline: 'YES',
    visibility: 'ALL',
    groups: [external('MenuGroup', serials.menuGroup)],
    images: [],
    unitOfMeasure: 'NONE',
  },
  MenuGroup: {
    guid: exampleGuid(serials.menuGroup),
    entityType: 'MenuGroup',
    externalId: null,
    name: 'Tacos',
    menu: { ...external('Menu', serials.menu), externalId: 'KITCHEN:dinner' },
    orderableOnline: 'YES',
    visibility: 'ALL',
    parent: null,
    items: [external('MenuItem', serials.menuItem)],
    subgroups: [],
    optionGroups: [],
    inheritOptionGroups: false,
    images: [],
    unitOfMeasure: 'NONE',
    inheritUnitOfMeasure: true,
  },
  MenuItem: {
    guid: exampleGuid(serials.menuItem),
    entityType: 'MenuItem',
    externalId: null,
    name: 'Fish tacos',
    calories: 640,
    sku: 'TACO-FISH',
    plu: '2041',
    orderableOnline: 'YES',
    visibility: 'ALL',
    type: 'NONE',
    optionGroups: [external('MenuOptionGroup', serials.menuOptionGroup)],
    inheritOptionGroups: true,
    images: [image],
    unitOfMeasure: 'NONE',
    inheritUnitOfMeasure: true,
  },
  MenuOptionGroup: {
    guid: exampleGuid(serials.menuOptionGroup),
    entityType: 'MenuOptionGroup',
    externalId: null,
    name: 'Choose a salsa',
    options: [external('MenuItem', serials.modifierItem)],
    minSelections: 1,
    maxSelections: 2,
  },
  PreModifier: {
    guid: exampleGuid(40),
    entityType: 'PreModifier',
    name: 'Extra',
    scalePrice: true,
    basePrice: null,
    scaleFactor: 1.5,
    displayMode: 'PREFIX',
    parent: reference('PreModifierGroup', serials.preModifierGroup),
    chargeAsExtra: null,
  },
  PreModifierGroup: {
    guid: exampleGuid(serials.preModifierGroup),
    entityType: 'PreModifierGroup',
    name: 'Amounts',
    isDefault: true,
  },
  PriceGroup: { guid: exampleGuid(41), entityType: 'PriceGroup', name: 'Happy hour' },
  SalesCategory: { guid: exampleGuid(42), entityType: 'SalesCategory', name: 'Food' },
};

const money: Examples<
  'AlternatePaymentType' | 'Discount' | 'ServiceCharge' | 'TaxRate' | 'TipWithholding'
> = {
  AlternatePaymentType: {
    guid: exampleGuid(50),
    entityType: 'AlternatePaymentType',
    externalId: null,
    name: 'House account',
  },
  Discount: {
    guid: exampleGuid(51),
    entityType: 'Discount',
    name: 'Neighbours',
    active: true,
    type: 'PERCENT',
    percentage: 15,
    amount: null,
    selectionType: 'CHECK',
    nonExclusive: true,
    itemPickingPriority: 'LEAST_EXPENSIVE',
    fixedTotal: null,
    promoCodes: [
      {
        guid: exampleGuid(52),
        entityType: 'PromoCode',
        code: 'HELLO15',
        name: 'Spring letter',
        usageType: 'MULTI_USE',
      },
    ],
  },
  ServiceCharge: {
    guid: exampleGuid(53),
    entityType: 'ServiceCharge',
    externalId: null,
    name: 'Delivery fee',
    amountType: 'FIXED',
    amount: 4.5,
    percent: null,
    criteria: {
      minCheckAmount: null,
      maxCheckAmount: 60,
      delivery: true,
      minDeliveryDistance: null,
      takeout: false,
      dineIn: false,
    },
    gratuity: false,
    taxable: true,
    applicableTaxes: [TaxRate],
    serviceChargeCalculation: null,
    destination: 'RESTAURANT',
    taxInclusive: false,
    taxProrated: false,
  },
  TaxRate,
  TipWithholding: {
    guid: exampleGuid(54),
    entityType: 'TipWithholding',
    enabled: true,
    percentage: 0.03,
  },
};

const restaurant: Examples<
  | 'BreakType'
  | 'CashDrawer'
  | 'DiningOption'
  | 'NoSaleReason'
  | 'PayoutReason'
  | 'Printer'
  | 'RestaurantService'
  | 'RevenueCenter'
  | 'ServiceArea'
  | 'Table'
  | 'VoidReason'
> = {
  BreakType: {
    guid: exampleGuid(60),
    entityType: 'BreakType',
    name: 'Meal break',
    active: true,
    paid: false,
    duration: 30,
    enforceMinimumTime: true,
    trackMissedBreaks: true,
    breakIntervalHrs: 5,
    breakIntervalMins: 0,
    trackBreakAcknowledgement: true,
  },
  CashDrawer: {
    guid: exampleGuid(61),
    entityType: 'CashDrawer',
    printer: reference('Printer', serials.printer),
  },
  DiningOption: {
    guid: exampleGuid(62),
    entityType: 'DiningOption',
    externalId: null,
    name: 'Curbside pickup',
    behavior: 'TAKE_OUT',
    curbside: true,
  },
  NoSaleReason: { guid: exampleGuid(63), entityType: 'NoSaleReason', name: 'Make change' },
  PayoutReason: { guid: exampleGuid(64), entityType: 'PayoutReason', name: 'Flower market' },
  Printer: { guid: exampleGuid(serials.printer), entityType: 'Printer', name: 'Bar' },
  RestaurantService: { guid: exampleGuid(65), entityType: 'RestaurantService', name: 'Lunch' },
  RevenueCenter: {
    guid: exampleGuid(serials.revenueCenter),
    entityType: 'RevenueCenter',
    name: 'Patio',
    description: 'Everything that is sold outside',
  },
  ServiceArea: {
    guid: exampleGuid(serials.serviceArea),
    entityType: 'ServiceArea',
    name: 'Lower patio',
    revenueCenter: external('RevenueCenter', serials.revenueCenter),
  },
  Table: {
    guid: exampleGuid(66),
    entityType: 'Table',
    name: '14',
    serviceArea: reference('ServiceArea', serials.serviceArea),
    revenueCenter: external('RevenueCenter', serials.revenueCenter),
  },
  VoidReason: { guid: exampleGuid(67), entityType: 'VoidReason', name: 'Guest changed order' },
};

const PublishedChange = {
  publishNumber: 7,
  publishedAt: '2026-01-31T18:30:00.000Z',
  collection: 'menuItems',
  guid: exampleGuid(serials.menuItem),
  kind: 'CHANGED',
} satisfies Examples<'PublishedChange'>['PublishedChange'];

const changes: Examples<'PublishedChange' | 'PublishedChangePage'> = {
  PublishedChange,
  PublishedChangePage: { results: [PublishedChange], nextCursor: 'AbCdEf012345', hasMore: false },
};

export const configurationExamples = { ...menus, ...money, ...restaurant, ...changes };
