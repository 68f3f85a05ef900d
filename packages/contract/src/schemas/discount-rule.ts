import type { Static } from 'typebox';
import { answer, choice, decimal, limits, list, orNull, reference, text } from './field.ts';
import { price } from './pricing.ts';
import { days, TimeRange } from './schedule.ts';
import { Type } from './type.ts';

const references = (one: string, description: string) =>
  list(reference(one), description, { default: [], ...limits.references });

const localDate = (description: string) => text(description, { format: 'date', maxLength: 10 });

const side = (verb: string) => ({
  items: references('An item.', `The items to ${verb}.`),
  groups: references(
    'A menu group.',
    `The menu groups to ${verb} from, with the groups in them. If there are neither items nor ` +
      'groups, any item counts.',
  ),
  quantity: Type.Integer({
    description: `How many to ${verb}.`,
    format: 'int32',
    minimum: 1,
    maximum: 1_000,
    default: 1,
  }),
});

export const BuySide = answer('What a guest must buy for a BOGO discount.', side('buy'));
export type BuySide = Static<typeof BuySide>;

export const GetSide = answer('What a guest gets by a BOGO discount.', {
  ...side('get'),
  amountType: choice('PERCENT: value is a percentage off. FIXED: an amount off.', [
    'PERCENT',
    'FIXED',
  ]),
  value: decimal('What is taken off each: a percentage, or an amount in currency units.', {
    exclusiveMinimum: 0,
    maximum: 1_000_000_000,
  }),
});
export type GetSide = Static<typeof GetSide>;

export const DiscountRule = answer(
  'When and where a discount can be used. Null and empty lists limit nothing.',
  {
    items: references('An item.', 'The items that an item discount can be put on.'),
    groups: references(
      'A menu group.',
      'The menu groups whose items it can be put on, with the groups in them.',
    ),
    excludedItems: references('An item.', 'Items that it leaves alone.'),
    excludedGroups: references(
      'A menu group.',
      'Menu groups whose items it leaves alone, with the groups in them.',
    ),
    requiredItems: references('An item.', 'Items one of which a check must have.'),
    requiredGroups: references(
      'A menu group.',
      'Menu groups from one of which a check must have an item, with the groups in them.',
    ),
    minCheckAmount: orNull(price('The check must be worth more than this before discounts')),
    maxCheckAmount: orNull(price('The check must be worth less than this before discounts')),
    diningOptions: references('A dining option.', 'The dining options that it is for.'),
    startDate: orNull(localDate('The first local date, yyyy-MM-dd.')),
    endDate: orNull(localDate('The last local date, yyyy-MM-dd.')),
    days: days('The days of the week.', { default: [], minItems: 0 }),
    times: list(TimeRange, 'The hours.', { default: [], ...limits.parts }),
    buy: orNull(BuySide, 'What a guest must buy; only for BOGO discounts.'),
    get: orNull(GetSide, 'What a guest gets; only for BOGO discounts.'),
  },
);
export type DiscountRule = Static<typeof DiscountRule>;
