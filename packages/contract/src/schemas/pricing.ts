import type { Static } from 'typebox';
import { answer, choice, decimal, limits, line, list, orNull, reference } from './field.ts';
import { days, timeOfDay } from './schedule.ts';

/** Beyond any price, and far below where JSON numbers become inexact. */
const priceLimits = { minimum: -1_000_000_000, maximum: 1_000_000_000 };

export const price = (description: string) =>
  decimal(`${description}, in currency units.`, priceLimits);

export const MenuPrice = answer('The price of an item in one menu.', {
  menu: reference('The menu.'),
  price: price('The price in this menu'),
});
export type MenuPrice = Static<typeof MenuPrice>;

export const TimePrice = answer('A price for certain hours of certain days.', {
  price: price('The price in these hours'),
  days: days('The days on which the hours begin.'),
  start: timeOfDay('Local time at which the price begins.'),
  end: timeOfDay(
    'Local time of the last minute that it applies. If it is before start, it is on the next day. ' +
      'If both are 00:00, the price applies all day.',
  ),
});
export type TimePrice = Static<typeof TimePrice>;

export const itemStrategies = [
  'BASE_PRICE',
  'MENU_SPECIFIC_PRICE',
  'TIME_SPECIFIC_PRICE',
  'SIZE_PRICE',
  'OPEN_PRICE',
  'GROUP_PRICE',
  'PRICE_LEVEL',
] as const;
export const menuGroupStrategies = [
  'BASE_PRICE',
  'TIME_SPECIFIC_PRICE',
  'SIZE_PRICE',
  'OPEN_PRICE',
  'PRICE_LEVEL',
] as const;
export const priceLevelStrategies = [
  'BASE_PRICE',
  'TIME_SPECIFIC_PRICE',
  'SIZE_PRICE',
  'OPEN_PRICE',
] as const;

const strategyTexts = {
  BASE_PRICE: 'one price.',
  MENU_SPECIFIC_PRICE: 'a price for each menu.',
  TIME_SPECIFIC_PRICE: 'other prices at certain hours.',
  SIZE_PRICE: 'a price for each size that the guest can choose.',
  OPEN_PRICE: 'entered at the time of sale.',
  GROUP_PRICE: 'the pricing of the menu group.',
  PRICE_LEVEL: 'the pricing of a price level.',
} as const;

function pricingOf<const Strategies extends readonly (keyof typeof strategyTexts)[]>(
  description: string,
  strategies: Strategies,
) {
  const texts = strategies.map((strategy) => `${strategy}: ${strategyTexts[strategy]}`);
  return answer(description, {
    strategy: choice(`How the price is determined. ${texts.join(' ')}`, strategies),
    price: orNull(
      price(
        'The price for BASE_PRICE, and the default when no menu or time has a price of its own',
      ),
    ),
    menuPrices: list(MenuPrice, 'Prices in certain menus, for MENU_SPECIFIC_PRICE.', {
      default: [],
      ...limits.parts,
    }),
    timePrices: list(TimePrice, 'Prices at certain hours, for TIME_SPECIFIC_PRICE.', {
      default: [],
      ...limits.parts,
    }),
    sizeGroup: orNull(
      reference(
        'The modifier group whose options are the sizes, for SIZE_PRICE. The prices of its items ' +
          'are the prices of the sizes.',
      ),
    ),
    priceGroup: orNull(reference('The price level, for PRICE_LEVEL.')),
  });
}

export const Pricing = pricingOf('How an item is priced.', itemStrategies);
export type Pricing = Static<typeof Pricing>;

export const MenuGroupPricing = pricingOf(
  'How items of a menu group that have no price of their own are priced.',
  menuGroupStrategies,
);
export type MenuGroupPricing = Static<typeof MenuGroupPricing>;

export const PriceLevelPricing = pricingOf(
  'How the items with this price level are priced.',
  priceLevelStrategies,
);
export type PriceLevelPricing = Static<typeof PriceLevelPricing>;

const sequenceLimits = { maxItems: 50 };
const onePrice = price('A price');

export const SizePrices = answer('The prices of modifiers for one size of the item.', {
  sizeName: line('Name of the size: exactly the name of the item behind it.'),
  prices: list(
    onePrice,
    'For SIZE_PRICE, one price. For SIZE_SEQUENCE_PRICE, the prices of the first, second, … ' +
      'modifier. The last price also applies to later ones.',
    { minItems: 1, ...sequenceLimits },
  ),
});
export type SizePrices = Static<typeof SizePrices>;

export const GroupPricing = answer('How a modifier group prices its modifiers.', {
  strategy: choice(
    'FIXED_PRICE: each modifier costs the same. SEQUENCE_PRICE: the first, second, … modifier ' +
      'each have a price. SIZE_PRICE: the size of the item sets the price. SIZE_SEQUENCE_PRICE: ' +
      'both do.',
    ['FIXED_PRICE', 'SEQUENCE_PRICE', 'SIZE_PRICE', 'SIZE_SEQUENCE_PRICE'],
  ),
  price: orNull(price('The price of each modifier, for FIXED_PRICE')),
  sequencePrices: list(
    onePrice,
    'The prices of the first, second, … modifier, for SEQUENCE_PRICE. The last price also ' +
      'applies to later ones.',
    { default: [], ...sequenceLimits },
  ),
  sizePrices: list(
    SizePrices,
    'The prices for each size, for SIZE_PRICE and SIZE_SEQUENCE_PRICE.',
    { default: [], ...limits.parts },
  ),
});
export type GroupPricing = Static<typeof GroupPricing>;
