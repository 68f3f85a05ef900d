import type { Static } from 'typebox';
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
  text,
  whole,
} from './field.ts';
import { ExternalReference, externallyReferenced, Reference, referenced } from './reference.ts';

export const Image = answer('A picture.', {
  url: text('Address of the picture.', { format: 'uri', ...limits.address }),
});
export type Image = Static<typeof Image>;

const orderableOnline = choice(
  'Whether guests can order it online. Deprecated: use `visibility` in the menus interface ' +
    '(menus.get).',
  ['YES', 'NO'],
  { deprecated: true, default: 'YES' },
);
const visibility = choice(
  'Who sees it. ALL: servers and customers. POS_ONLY: servers only. NONE: nobody. ' +
    'Deprecated: use `visibility` in the menus interface (menus.get).',
  ['ALL', 'POS_ONLY', 'NONE'],
  { deprecated: true, default: 'ALL' },
);
const units = [
  'NONE',
  'LB',
  'OZ',
  'KG',
  'G',
  'GAL',
  'L',
  'ML',
  'FL_OZ',
  'M',
  'CM',
  'FT',
  'IN',
  'YD',
] as const;
const unitOfMeasure = (description: string) => choice(description, units, { default: 'NONE' });
const images = list(Image, 'Pictures; empty if there are none.', {
  default: [],
  ...limits.parts,
});

export const Menu = externallyReferenced('Menu', 'A menu, the root of its menu groups.', {
  name: line('Name of the menu.'),
  orderableOnline,
  visibility,
  groups: list(ExternalReference, 'The top-level groups of the menu.', {
    default: [],
    ...limits.references,
  }),
  images,
  unitOfMeasure: unitOfMeasure(
    'Unit in which its items are measured; NONE if they are not measured.',
  ),
});
export type Menu = Static<typeof Menu>;

export const MenuGroup = externallyReferenced('MenuGroup', 'A group of items within a menu.', {
  name: line('Name of the group.'),
  menu: orNull(ExternalReference, 'The menu that the group belongs to.'),
  orderableOnline,
  visibility,
  parent: orNull(ExternalReference, 'The group that contains this one; null at the top level.'),
  items: list(ExternalReference, 'The items in the group.', { default: [], ...limits.references }),
  subgroups: list(ExternalReference, 'The groups in the group; empty if there are none.', {
    default: [],
    ...limits.references,
  }),
  optionGroups: list(
    ExternalReference,
    'The modifier groups set on this group, without inherited ones.',
    { default: [], ...limits.references },
  ),
  inheritOptionGroups: flag('Whether the modifier groups of the parent apply too.', {
    default: false,
  }),
  images,
  unitOfMeasure: unitOfMeasure(
    'Unit in which its items are measured; NONE if they are not measured.',
  ),
  inheritUnitOfMeasure: flag(
    'Whether the unit comes from the parent group or, if there is none, from the menu.',
    { default: false },
  ),
});
export type MenuGroup = Static<typeof MenuGroup>;

export const MenuItem = externallyReferenced('MenuItem', 'An item or a modifier.', {
  name: line('Name of the item.'),
  calories: orNull(
    whole('Kilocalories. Can be zero or negative for a modifier. Null if not known.', {
      minimum: -(2 ** 31),
    }),
  ),
  sku: orNull(identifier('Stock keeping unit; null if not set.')),
  plu: orNull(identifier('Price look-up code; null if not set.')),
  orderableOnline,
  visibility,
  type: choice(
    'NONE: a normal item or modifier. OPEN_ITEM: priced when it is ordered. ' +
      'SPECIAL_REQUEST: a written request. PORTION: a part of another item.',
    ['NONE', 'OPEN_ITEM', 'SPECIAL_REQUEST', 'PORTION'],
    { default: 'NONE' },
  ),
  optionGroups: list(
    ExternalReference,
    'The modifier groups set on this item, without inherited ones.',
    { default: [], ...limits.references },
  ),
  inheritOptionGroups: flag('Whether the modifier groups of the menu group apply too.', {
    default: false,
  }),
  images,
  unitOfMeasure: unitOfMeasure(
    'Unit in which the item is measured. Has no meaning if inheritUnitOfMeasure is true.',
  ),
  inheritUnitOfMeasure: flag('Whether the unit comes from the menu group.', { default: false }),
});
export type MenuItem = Static<typeof MenuItem>;

export const MenuOptionGroup = externallyReferenced('MenuOptionGroup', 'A modifier group.', {
  name: line('Name of the modifier group.'),
  options: list(ExternalReference, 'The menu items behind its modifiers.', {
    default: [],
    ...limits.references,
  }),
  minSelections: whole('Minimum number of modifiers to choose.', { default: 0 }),
  maxSelections: orNull(whole('Maximum number of modifiers to choose; null for no limit.')),
});
export type MenuOptionGroup = Static<typeof MenuOptionGroup>;

export const PreModifier = referenced(
  'PreModifier',
  'A word that changes a modifier and its price.',
  {
    name: line('Name of the pre-modifier.'),
    scalePrice: flag('True: multiplies the price of the modifier. False: adds to the price.', {
      default: false,
    }),
    basePrice: orNull(
      decimal('Amount added to the price if scalePrice is false, in currency units.'),
    ),
    scaleFactor: orNull(
      decimal('Factor for the price if scalePrice is true.', { format: 'float' }),
    ),
    displayMode: choice(
      'Whether it appears before or after the name of the modifier.',
      ['PREFIX', 'SUFFIX'],
      { default: 'PREFIX' },
    ),
    parent: orNull(Reference, 'The pre-modifier group that it belongs to.'),
    chargeAsExtra: orNull(
      flag(
        'True: adds one more portion of the modifier and its price, according to the pricing ' +
          'option of the modifier group. Null if not set.',
      ),
    ),
  },
);
export type PreModifier = Static<typeof PreModifier>;

export const PreModifierGroup = referenced('PreModifierGroup', 'A set of pre-modifiers.', {
  name: line('Name of the pre-modifier group.'),
  isDefault: flag('Whether this is the default group. A restaurant has at most one default.', {
    default: false,
  }),
});
export type PreModifierGroup = Static<typeof PreModifierGroup>;

export const PriceGroup = referenced('PriceGroup', 'A variable price level.', {
  name: line('Name of the price level.'),
});
export type PriceGroup = Static<typeof PriceGroup>;

export const SalesCategory = referenced('SalesCategory', 'A group of items reported together.', {
  name: line('Name of the category.'),
});
export type SalesCategory = Static<typeof SalesCategory>;
