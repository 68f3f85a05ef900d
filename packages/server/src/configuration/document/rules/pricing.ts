import { type Pricing, type TimePrice, weekdays } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';
import type { Money } from './amount.ts';

type Part = Exclude<keyof Pricing, 'strategy'>;

const partsOf: Readonly<Record<Pricing['strategy'], readonly Part[]>> = {
  BASE_PRICE: ['price'],
  MENU_SPECIFIC_PRICE: ['price', 'menuPrices'],
  TIME_SPECIFIC_PRICE: ['price', 'timePrices'],
  SIZE_PRICE: ['sizeGroup'],
  OPEN_PRICE: [],
  GROUP_PRICE: [],
  PRICE_LEVEL: ['priceGroup'],
};
const PARTS: readonly Part[] = ['price', 'menuPrices', 'timePrices', 'sizeGroup', 'priceGroup'];

/** Of an item, a menu group or a price level. */
export function checkPricing(pricing: Pricing | null, place: Place, money: Money): void {
  if (pricing === null) return;
  checkParts(pricing, PARTS, partsOf[pricing.strategy], place);
  money.check(pricing.price, place, 'price');
  checkMenuPrices(pricing.menuPrices, place.at('menuPrices'), money);
  checkTimePrices(pricing.timePrices, place.at('timePrices'), money);
}

/** What a strategy takes it needs, and it takes nothing else. */
export function checkParts<Name extends string>(
  pricing: { readonly strategy: string } & Readonly<Record<Name, unknown>>,
  parts: readonly Name[],
  needed: readonly Name[],
  place: Place,
): void {
  const { strategy } = pricing;
  for (const part of parts) {
    const value = pricing[part];
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    if (needed.includes(part) && isEmpty) {
      place.fault(`is missing; the strategy ${strategy} needs it`, part);
    }
    if (!needed.includes(part) && !isEmpty) {
      place.fault(`must be absent; the strategy ${strategy} doesn't use it`, part);
    }
  }
}

function checkMenuPrices(prices: Pricing['menuPrices'], place: Place, money: Money): void {
  const menus = new Set<string>();
  prices.forEach(({ menu, price }, index) => {
    money.check(price, place, index, 'price');
    if (menus.has(menu)) place.fault('is in this list already; keep one', index, 'menu');
    menus.add(menu);
  });
}

const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = 7 * DAY_MINUTES;

function checkTimePrices(prices: readonly TimePrice[], place: Place, money: Money): void {
  prices.forEach(({ price }, index) => {
    money.check(price, place, index, 'price');
  });
  const parts = prices
    .flatMap((price, index) => partsOfWeek(price).map((part) => ({ ...part, index })))
    .sort((one, other) => one.from - other.from || one.index - other.index);
  const clashing = new Map<number, number>();
  let latest = parts[0];
  for (const part of parts.slice(1)) {
    if (latest && part.from < latest.to && part.index !== latest.index) {
      const [first, second] = [latest.index, part.index].sort((a, b) => a - b);
      if (first !== undefined && second !== undefined) clashing.set(second, first);
    }
    if (!latest || part.to > latest.to) latest = part;
  }
  for (const [index, other] of clashing) {
    place.fault(`overlaps the times of timePrices[${other}]; change one`, index);
  }
}

/** Minutes since Sunday, without the last; a range that runs over the week's end is two. */
function partsOfWeek({ days, start, end }: TimePrice): { from: number; to: number }[] {
  const isWholeDay = start === '00:00' && end === '00:00';
  const [begins, ends] = [minuteOf(start), minuteOf(end) + 1];
  // The minute of the end belongs to the range.
  const length = isWholeDay ? DAY_MINUTES : ends - begins + (ends > begins ? 0 : DAY_MINUTES);
  return [...new Set(days)].flatMap((day) => {
    const from = weekdays.indexOf(day) * DAY_MINUTES + begins;
    const to = from + length;
    if (to <= WEEK_MINUTES) return [{ from, to }];
    return [
      { from, to: WEEK_MINUTES },
      { from: 0, to: to - WEEK_MINUTES },
    ];
  });
}

function minuteOf(time: string): number {
  const [hours, minutes] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}
