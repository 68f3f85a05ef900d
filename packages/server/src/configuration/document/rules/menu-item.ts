import type { StoredFields } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';
import { hasAtMostDecimals, type Money } from './amount.ts';
import { checkPricing } from './pricing.ts';

export function checkMenuItem(item: StoredFields<'menuItems'>, place: Place, money: Money): void {
  checkPricing(item.pricing, place.at('pricing'), money);
  const { type, priceMultiplier } = item;
  if (priceMultiplier === null) return;
  if (type !== 'PORTION') {
    place.fault('must be null or absent unless type is "PORTION"', 'priceMultiplier');
  }
  if (!hasAtMostDecimals(priceMultiplier, 2)) {
    place.fault('must have at most 2 decimals', 'priceMultiplier');
  }
}
