import type { Static } from 'typebox';
import { answer, choice, decimal, flag, list, orNull, text, uuid, whole } from './field.ts';
import { Type } from './type.ts';

const days = [
  ...['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'],
] as const;
const localTime = (description: string) =>
  text(description, { pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', examples: ['17:59'] });

export const MenuTimeRange = answer(
  'A range of local times. If both are 00:00, it lasts all day. If the end is before the start, ' +
    'it ends on the next day.',
  {
    start: localTime('Start, HH:mm.'),
    end: localTime('End, HH:mm. The whole minute belongs to the range.'),
  },
);
export type MenuTimeRange = Static<typeof MenuTimeRange>;

export const MenuSchedule = answer('Times on some days of the week.', {
  days: list(choice('A day of the week.', days), 'The days on which the ranges start.'),
  timeRanges: list(MenuTimeRange, 'The times.'),
});
export type MenuSchedule = Static<typeof MenuSchedule>;

export const MenuAvailability = answer(
  'When a menu is offered. This is for information only and hides nothing.',
  {
    alwaysAvailable: flag('Whether the menu is offered at all times.'),
    schedule: Type.Optional(
      list(MenuSchedule, 'When the menu is offered. Absent if alwaysAvailable is true.'),
    ),
  },
);
export type MenuAvailability = Static<typeof MenuAvailability>;

export const TimeSpecificPrice = answer('A price that applies at certain times.', {
  timeSpecificPrice: decimal('Price at these times, in currency units.', { minimum: 0 }),
  basePrice: decimal('Price at all other times, in currency units.', { minimum: 0 }),
  schedule: list(MenuSchedule, 'When the price applies.'),
});
export type TimeSpecificPrice = Static<typeof TimeSpecificPrice>;

export const SequencePrice = answer('The price of the first, second, or later option.', {
  sequence: whole(
    'Place of the option, starting at 1. The price of the last place also applies to later ones.',
    {
      minimum: 1,
    },
  ),
  price: decimal('Price in currency units.'),
});
export type SequencePrice = Static<typeof SequencePrice>;

export const SizeSequencePricingRule = answer('The prices of the options for one size.', {
  sizeName: orNull(text('Name of the size. Null if the price does not depend on the size.')),
  sizeGuid: orNull(
    uuid("The option of the item's size group. Null if the price does not depend on the size."),
  ),
  sequencePrices: list(SequencePrice, 'The prices, in order. SIZE_PRICE has only one.'),
});
export type SizeSequencePricingRule = Static<typeof SizeSequencePricingRule>;

export const PricingRules = answer('Prices that depend on the time, the size, or the sequence.', {
  timeSpecificPricingRules: list(TimeSpecificPrice, 'Prices by time; empty if there are none.'),
  sizeSpecificPricingGuid: orNull(
    uuid('The modifier group whose options are the sizes. Null if there are no sizes.'),
  ),
  sizeSequencePricingRules: list(
    SizeSequencePricingRule,
    'Prices by size or sequence; empty if there are none.',
  ),
});
export type PricingRules = Static<typeof PricingRules>;
