import type { Static } from 'typebox';
import { onlineOrderingChannel } from '../brand.ts';
import { MenuItem } from './configuration-menus.ts';
import { answer, choice, decimal, flag, list, orNull, text, uuid, whole } from './field.ts';
import { ContentAdvisories, ItemPortion, MenuLabel, ModifierOptionTaxInfo } from './menus-parts.ts';
import { MenuAvailability, PricingRules } from './menus-prices.ts';
import { Type } from './type.ts';

const restaurantGuid = uuid('The restaurant that the request named.');
const lastUpdated = text(
  'When the published menus of the restaurant last changed, in UTC. It is the same in the ' +
    'metadata and in the document, and it never moves back.',
  {
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}\\+0000$',
    examples: ['2026-01-31T18:30:00.000+0000'],
  },
);

const referenceId = (map: string) =>
  whole(`Key of this entry in ${map}. It can change with any publication.`, { minimum: 1 });
const referenceIds = (description: string) =>
  list(whole('A referenceId.', { minimum: 1 }), description);

const identity = {
  name: text('Name that guests see. If an item has no name, it is "Missing name".', {
    minLength: 1,
  }),
  guid: uuid('Identifier of the object in the configuration. It never changes.'),
  multiLocationId: text(
    'Shared by all versions of an object that is offered at several locations.',
  ),
};
const identified = {
  ...identity,
  masterId: orNull(
    Type.Integer({
      description:
        'The multiLocationId as a number. It can be larger than 2^53. Null if it does not fit ' +
        'in 64 bits. Deprecated: use multiLocationId.',
      format: 'int64',
      minimum: 0,
      exclusiveMaximum: 2 ** 63,
      deprecated: true,
    }),
  ),
};
const button = {
  posName: text("Label on the point of sale's button; empty if there is none."),
  posButtonColorLight: text('Color of the button on a light screen. Always the default color.'),
  posButtonColorDark: text('Color of the button on a dark screen. Always the default color.'),
};
const description = text('Description for guests; empty if there is none.');
const image = orNull(text('URL of the first picture; null if there is none.', { format: 'uri' }));
const images = list(
  text('URL of a picture.', { format: 'uri' }),
  'URLs of all pictures; empty if there are none.',
);
const visibility = list(
  Type.Unsafe<string>({
    type: 'string',
    enum: ['POS', 'KIOSK', onlineOrderingChannel, 'ORDERING_PARTNERS'],
  }),
  'Where guests and staff see it. Show it to your guests only if the list has ORDERING_PARTNERS. ' +
    'Empty if it is hidden everywhere.',
);
const itemTags = list(MenuLabel, 'Tags that the restaurant chose, for example Vegetarian.');
const calories = orNull(
  whole('Calories (kcal). Can be negative for a modifier. Null if not known.', {
    minimum: -(2 ** 31),
  }),
);
const size = (what: string) => orNull(decimal(`${what}; null if not known.`, { minimum: 0 }));

/** What menu items and modifier options have in common, apart from prices and taxes. */
const goods = {
  kitchenName: text('Name on kitchen tickets; empty if there is none.'),
  itemTags,
  plu: text('Price look-up code; empty if there is none.'),
  sku: text('Stock keeping unit; empty if there is none.'),
  calories,
  contentAdvisories: ContentAdvisories,
  unitOfMeasure: {
    ...MenuItem.properties.unitOfMeasure,
    description: 'Unit that the price is for. NONE: the price is for one piece.',
  },
  portions: list(ItemPortion, 'Parts that take modifiers of their own, for example halves.'),
  prepTime: orNull(whole('Preparation time in seconds; null if not known.')),
  prepStations: list(text('A station.'), 'Always empty.', { maxItems: 0 }),
  allergens: list(text('An allergen.'), 'Reserved for future use: always empty.', { maxItems: 0 }),
  length: size('Length in dimensionUnitOfMeasure'),
  height: size('Height in dimensionUnitOfMeasure'),
  width: size('Width in dimensionUnitOfMeasure'),
  dimensionUnitOfMeasure: orNull(
    choice('Unit of length, height, and width; null if there are none.', [
      ...['IN', 'CM', 'FT', 'M', 'MM', 'YD'],
    ] as const),
  ),
  weight: size('Weight in weightUnitOfMeasure'),
  weightUnitOfMeasure: orNull(
    choice('Unit of the weight; null if there is none.', ['NONE', 'LB', 'OZ', 'KG', 'G']),
  ),
  guestCount: size('Number of guests that it serves'),
  sortOrder: orNull(whole('Order on kitchen tickets; null if there is none.')),
};
const salesCategory = orNull(
  MenuLabel,
  'Category in which sales are reported, its own or inherited; null if there is none.',
);
const pricingRules = orNull(
  PricingRules,
  'Prices that depend on the time or the size. Null for other strategies.',
);
const pricingStrategies = [
  'BASE_PRICE',
  'MENU_SPECIFIC_PRICE',
  'TIME_SPECIFIC_PRICE',
  'SIZE_PRICE',
  'OPEN_PRICE',
] as const;
const strategyWords =
  'BASE_PRICE and MENU_SPECIFIC_PRICE: price is the price. TIME_SPECIFIC_PRICE: price applies ' +
  'unless a rule has another price for the time. SIZE_PRICE: the chosen size sets the price. ' +
  'OPEN_PRICE: the price is entered with the order.';

export const ResolvedMenuItem = answer('An item of a menu, as it is offered in one group.', {
  ...identified,
  ...button,
  description,
  image,
  images,
  visibility,
  ...goods,
  price: orNull(
    decimal(
      'Price in currency units. Null for SIZE_PRICE and OPEN_PRICE. With any other strategy, null ' +
        'means that nobody has set a price, so the item cannot be ordered.',
      { minimum: 0 },
    ),
  ),
  pricingStrategy: choice(strategyWords, pricingStrategies),
  pricingRules,
  isDeferred: flag('Whether the revenue is recognized later, for example for a gift card.'),
  isDiscountable: flag('If false, a discount on the item is 0.00.'),
  salesCategory,
  taxInfo: list(uuid('A tax rate.'), 'The tax rates that apply. Empty if it is not taxed.'),
  taxInclusion: choice(
    'TAX_INCLUDED: the price includes the taxes. TAX_NOT_INCLUDED: taxes are added. SMART_TAX: ' +
      'treat it as TAX_NOT_INCLUDED.',
    ['TAX_INCLUDED', 'TAX_NOT_INCLUDED', 'SMART_TAX'],
  ),
  eligiblePaymentAssistancePrograms: list(text('A program.'), 'Always empty.', { maxItems: 0 }),
  modifierGroupReferences: referenceIds(
    'Its modifier groups, in order, own and inherited: keys in modifierGroupReferences of the ' +
      'document.',
  ),
  isComboParent: orNull(flag('Always null.')),
});
export type ResolvedMenuItem = Static<typeof ResolvedMenuItem>;

const groupWithoutContent = answer('The fields of a group.', {
  ...identified,
  ...button,
  description,
  image,
  visibility,
  itemTags,
});

export interface ResolvedMenuGroup extends Static<typeof groupWithoutContent> {
  menuGroups: ResolvedMenuGroup[];
  menuItems: ResolvedMenuItem[];
}

export const ResolvedMenuGroup = answer('A group of items in a menu.', {
  ...groupWithoutContent.properties,
  menuGroups: list(
    Type.Unsafe<ResolvedMenuGroup>(Type.Ref('ResolvedMenuGroup')),
    'The groups in the group, in order; empty if there are none.',
  ),
  menuItems: list(ResolvedMenuItem, 'The items in the group, in order.'),
});

export const ResolvedMenu = answer('A published menu.', {
  ...identified,
  ...button,
  description,
  highResImage: orNull(text('Always null.', { format: 'uri' })),
  image,
  visibility,
  availability: MenuAvailability,
  menuGroups: list(ResolvedMenuGroup, 'The top-level groups of the menu, in order.'),
});
export type ResolvedMenu = Static<typeof ResolvedMenu>;

export const ModifierGroup = answer(
  'A modifier group as it applies in one place. The same group may have several entries with ' +
    'the same guid, for example for items with different sizes.',
  {
    ...identified,
    referenceId: referenceId('modifierGroupReferences'),
    ...button,
    visibility,
    pricingStrategy: choice(
      'NONE: each option has its own price. SIZE_PRICE: the size of the item sets the price. ' +
        'SEQUENCE_PRICE: the place of the option sets the price (first, second, …). ' +
        'SIZE_SEQUENCE_PRICE: both do.',
      ['NONE', 'SIZE_PRICE', 'SEQUENCE_PRICE', 'SIZE_SEQUENCE_PRICE'],
    ),
    pricingRules: orNull(PricingRules, 'The prices of the group. Null if pricingStrategy is NONE.'),
    defaultOptionsChargePrice: choice(
      'Whether options that are included by default cost their price.',
      ['YES', 'NO'],
    ),
    defaultOptionsSubstitutionPricing: choice(
      'Whether the prices of default options that are left out are deducted from other options ' +
        'of the group.',
      ['YES', 'NO'],
    ),
    minSelections: whole('Minimum number of options to choose.'),
    maxSelections: orNull(whole('Maximum number of options to choose; null for no limit.')),
    requiredMode: choice(
      'REQUIRED: the guest must choose an option. OPTIONAL_FORCE_SHOW: show the options, but the ' +
        'guest need not choose one. OPTIONAL: the guest can choose an option.',
      ['REQUIRED', 'OPTIONAL_FORCE_SHOW', 'OPTIONAL'],
    ),
    isMultiSelect: flag('Whether the guest can choose more than one option.'),
    preModifierGroupReference: orNull(
      whole(
        'The pre-modifiers that its options accept: a key in preModifierGroupReferences of the ' +
          'document. Null if they accept none.',
        { minimum: 1 },
      ),
    ),
    modifierOptionReferences: referenceIds(
      'Its options, in order: keys in modifierOptionReferences of the document.',
    ),
  },
);
export type ModifierGroup = Static<typeof ModifierGroup>;

export const ModifierOption = answer('An option of a modifier group as it applies in one place.', {
  ...identified,
  guid: uuid('The menu item behind the option.'),
  referenceId: referenceId('modifierOptionReferences'),
  ...button,
  description,
  image,
  images,
  visibility,
  ...goods,
  price: orNull(
    decimal(
      'Price in currency units. It can be negative. Null if the pricingRules of the option or of ' +
        'its group have the price.',
    ),
  ),
  pricingStrategy: choice(`${strategyWords} GROUP_PRICE: the modifier group sets the price.`, [
    ...pricingStrategies,
    'GROUP_PRICE',
  ]),
  pricingRules,
  salesCategory,
  taxInfo: list(
    uuid('A tax rate.'),
    'The tax rates of the item that it modifies. Deprecated: use modifierOptionTaxInfo.',
    { deprecated: true },
  ),
  modifierOptionTaxInfo: ModifierOptionTaxInfo,
  isDefault: flag('Whether it is included unless the guest leaves it out.'),
  allowsDuplicates: flag('Whether the guest can choose it more than once.'),
  modifierGroupReferences: referenceIds(
    'The modifier groups of the option, in order: keys in modifierGroupReferences of the document.',
  ),
});
export type ModifierOption = Static<typeof ModifierOption>;

export const ResolvedPreModifier = answer('A word that changes an option and its price.', {
  ...identity,
  fixedPrice: orNull(
    decimal('Amount added to the price, in currency units. Null if multiplicationFactor is set.'),
  ),
  multiplicationFactor: orNull(decimal('Factor for the price. Null if fixedPrice is set.')),
  displayMode: choice('Whether it appears before or after the name of the option.', [
    'PREFIX',
    'SUFFIX',
  ]),
  ...button,
  chargeAsExtra: orNull(
    flag('Whether it charges for an additional portion of the option. Null if not set.'),
  ),
  plu: text('Price look-up code; empty if there is none.'),
});
export type ResolvedPreModifier = Static<typeof ResolvedPreModifier>;

export const ResolvedPreModifierGroup = answer('A set of pre-modifiers.', {
  referenceId: referenceId('preModifierGroupReferences'),
  ...identity,
  preModifiers: list(ResolvedPreModifier, 'The pre-modifiers, in order.'),
});
export type ResolvedPreModifierGroup = Static<typeof ResolvedPreModifierGroup>;

const mapOf = { type: 'object', propertyNames: { pattern: '^[1-9][0-9]*$' } } as const;

export const MenusDocument = answer(
  'All published menus of a restaurant, with every price, tax rate, and inherited value resolved.',
  {
    restaurantGuid,
    lastUpdated,
    restaurantTimeZone: text('IANA name of the time zone of the schedules.', {
      examples: ['America/New_York'],
    }),
    menus: list(ResolvedMenu, 'The published menus.'),
    modifierGroupReferences: Type.Unsafe<Record<string, ModifierGroup>>({
      ...mapOf,
      description: 'The modifier groups of items and options, by referenceId.',
      additionalProperties: ModifierGroup,
    }),
    modifierOptionReferences: Type.Unsafe<Record<string, ModifierOption>>({
      ...mapOf,
      description: 'The options of the modifier groups, by referenceId.',
      additionalProperties: ModifierOption,
    }),
    preModifierGroupReferences: Type.Unsafe<Record<string, ResolvedPreModifierGroup>>({
      ...mapOf,
      description: 'The pre-modifier groups of the modifier groups, by referenceId.',
      additionalProperties: ResolvedPreModifierGroup,
    }),
  },
);
export type MenusDocument = Static<typeof MenusDocument>;

export const MenusMetadata = answer('When the published menus of a restaurant last changed.', {
  restaurantGuid,
  lastUpdated,
});
export type MenusMetadata = Static<typeof MenusMetadata>;
