import type { Static, TSchema } from 'typebox';
import {
  answer,
  choice,
  decimal,
  flag,
  identifier,
  limits,
  line,
  list,
  orNull,
  reference,
  text,
  whole,
} from './field.ts';
import { GroupPricing, MenuGroupPricing, PriceLevelPricing, Pricing, price } from './pricing.ts';
import { Availability } from './schedule.ts';

/** As stored, for platforms of every brand; partners see the third one with the brand. */
export const channelNames = [
  'POS',
  'KIOSK',
  'PLATFORM_ONLINE_ORDERING',
  'ORDERING_PARTNERS',
] as const;
export type Channel = (typeof channelNames)[number];

const posName = line("Label of the point of sale's button; empty if there is none.", {
  default: '',
});
const description = text('Description for guests; empty if there is none.', {
  default: '',
  ...limits.words,
});
const references = (one: string, description: string) =>
  list(reference(one), description, { default: [], ...limits.references });

const channels = orNull(
  list(choice('Where it is shown.', channelNames), 'Places where it is shown.', {
    maxItems: channelNames.length,
  }),
  'Where guests and staff see it: at the point of sale, at kiosks, in online ordering, and at ' +
    'ordering partners. If null, orderableOnline and visibility decide.',
);
const taxRates = orNull(
  list(reference('A tax rate.'), 'Tax rates.', limits.references),
  'The taxes on it and its items. An empty list means no tax. If null, it inherits from what it ' +
    'is in, and finally the default taxes of the restaurant.',
);
const taxInclusion = orNull(
  choice('Whether prices include taxes.', ['TAX_INCLUDED', 'TAX_NOT_INCLUDED', 'SMART_TAX']),
  'Whether prices include taxes. SMART_TAX depends on the place of sale; in orders, it means ' +
    'not included. If null, it inherits from what it is in, and finally TAX_NOT_INCLUDED.',
);
const salesCategory = orNull(reference('The sales category; null if there is none.'));
const inheritSalesCategory = flag(
  'Whether it inherits the sales category of what it is in, if salesCategory is null.',
  { default: true },
);
const itemTags = references('An item tag.', 'Its item tags, for example Vegetarian.');

const shown = { posName, description, channels, taxRates, taxInclusion };
const salesCategories = { salesCategory, inheritSalesCategory };

export const menuFields = {
  ...shown,
  ...salesCategories,
  availability: Availability,
};

export const menuGroupFields = {
  ...shown,
  ...salesCategories,
  itemTags,
  pricing: orNull(
    MenuGroupPricing,
    'How items that have no price of their own are priced. If null, as in the group above.',
  ),
};

export const DefaultOption = answer('A modifier that is included in an item.', {
  optionGroup: reference('The modifier group.'),
  item: reference('The item behind the modifier.'),
});
export type DefaultOption = Static<typeof DefaultOption>;

const measure = (what: string) => orNull(decimal(`${what}; null if not known.`, { minimum: 0 }));

export const menuItemFields = {
  ...shown,
  ...salesCategories,
  itemTags,
  pricing: orNull(
    Pricing,
    'How it is priced. If null, it has the pricing of its menu group, or no price if there is none.',
  ),
  kitchenName: line('Name on kitchen tickets; empty if there is none.', { default: '' }),
  containsAlcohol: orNull(
    choice('Whether it contains alcohol.', ['YES', 'NO']),
    'Whether it contains alcohol; null if not set.',
  ),
  isDeferred: flag('Whether its revenue is recognized later, for example for a gift card.', {
    default: false,
  }),
  isDiscountable: flag('Whether discounts can lower its price.', { default: true }),
  modifierTaxBehavior: choice(
    'How it is taxed as a modifier. INHERIT: with the taxes of what it modifies. UNIQUE: with its ' +
      'own taxes. OVERRIDE: with its own taxes, which also replace those of what it modifies.',
    ['INHERIT', 'UNIQUE', 'OVERRIDE'],
    { default: 'INHERIT' },
  ),
  portions: references(
    'An item of type PORTION.',
    'The portions that can have modifiers of their own, for example halves.',
  ),
  priceMultiplier: orNull(
    decimal('Factor, with at most two decimals.', { minimum: 0, maximum: 100 }),
    'Factor for the prices of modifiers on this portion, with at most two decimals; null means ' +
      '1. Only for items of type PORTION.',
  ),
  defaultOptions: orNull(
    list(DefaultOption, 'Modifiers that are included.', limits.parts),
    'The modifiers that are included in the item. If null, its modifier groups decide.',
  ),
  prepTime: orNull(whole('Time to prepare it, in seconds; null if not known.')),
  sortOrder: orNull(whole('Order on kitchen tickets; null if there is none.')),
  guestCount: measure('How many guests it serves'),
  length: measure('Length, in dimensionUnitOfMeasure'),
  height: measure('Height, in dimensionUnitOfMeasure'),
  width: measure('Width, in dimensionUnitOfMeasure'),
  dimensionUnitOfMeasure: orNull(
    choice('Unit of length, height, and width; null if there is none.', [
      'IN',
      'CM',
      'FT',
      'M',
      'MM',
      'YD',
    ]),
  ),
  weight: measure('Weight, in weightUnitOfMeasure'),
  weightUnitOfMeasure: orNull(
    choice('Unit of the weight; null if there is none.', ['NONE', 'LB', 'OZ', 'KG', 'G']),
  ),
};

export const OptionSetting = answer('Settings of one modifier of the group.', {
  item: reference('The item behind the modifier.'),
  price: orNull(
    price('The price in this group, when pricingMode is INDIVIDUAL'),
    'The price in this group, in currency units, when pricingMode is INDIVIDUAL. If null, the ' +
      'price of the item.',
  ),
  isDefault: flag('Whether it is included unless the guest leaves it out.', { default: false }),
  allowsDuplicates: flag('Whether it can be chosen more than once.', { default: false }),
});
export type OptionSetting = Static<typeof OptionSetting>;

const yesOrNo = ['YES', 'NO'] as const;

export const menuOptionGroupFields = {
  posName,
  pricingMode: choice(
    'NO_CHARGE: its modifiers are free. GROUP: groupPricing sets their prices. INDIVIDUAL: each ' +
      'has the price of its item, or the one in optionSettings.',
    ['NO_CHARGE', 'GROUP', 'INDIVIDUAL'],
    { default: 'INDIVIDUAL' },
  ),
  groupPricing: orNull(
    GroupPricing,
    'How the group prices its modifiers, when pricingMode is GROUP; otherwise null.',
  ),
  sizeBehavior: choice(
    'Which size sets the price of modifiers that are priced by size. ITEM_SIZE: the size of the ' +
      'item. OWN_SIZE: the size that is chosen for the modifier.',
    ['ITEM_SIZE', 'OWN_SIZE'],
    { default: 'ITEM_SIZE' },
  ),
  requiredMode: orNull(
    choice('Whether guests must choose.', ['REQUIRED', 'OPTIONAL_FORCE_SHOW', 'OPTIONAL']),
    'REQUIRED: guests must choose. OPTIONAL_FORCE_SHOW: guests are asked, but need not choose. ' +
      'OPTIONAL: guests can choose. Null means REQUIRED if minSelections is above 0, otherwise ' +
      'OPTIONAL.',
  ),
  isMultiSelect: orNull(
    flag(
      'Whether guests can choose more than one modifier. Null means yes, unless maxSelections is 1.',
    ),
  ),
  defaultOptionsChargePrice: choice(
    'Whether modifiers that are included by default cost their price.',
    yesOrNo,
    { default: 'YES' },
  ),
  defaultOptionsSubstitutionPricing: choice(
    'Whether the prices of included modifiers that are left out are deducted from other ' +
      'modifiers of the group. Only if defaultOptionsChargePrice is NO.',
    yesOrNo,
    { default: 'NO' },
  ),
  preModifierGroup: orNull(
    reference('The pre-modifiers of the group. If null, the default group of the restaurant.'),
  ),
  allowPreModifiers: flag('Whether its modifiers accept pre-modifiers.', { default: true }),
  portionsEnabled: flag('Whether its modifiers can be put on a portion of the item.', {
    default: false,
  }),
  optionSettings: list(OptionSetting, 'Settings of single modifiers of the group.', {
    default: [],
    ...limits.parts,
  }),
};

export const preModifierFields = {
  posName,
  plu: identifier('Price look-up code; empty if there is none.', { default: '' }),
};

export const priceGroupFields = {
  pricing: orNull(PriceLevelPricing, 'How items with this price level are priced.'),
} satisfies Record<string, TSchema>;
