import type { AppliedDiscountRequest } from '@servery/contract';
import type { DiscountRequest } from '@servery/pricing';
import { amountOnWire } from '../../payments/life/money.ts';
import type { Part } from './part.ts';
import { readMoney } from './read-money.ts';
import { type ReadingContext, readText, refuseUnsupported } from './reading.ts';

export interface ReadDiscount extends DiscountRequest {
  readonly part: Part<AppliedDiscountRequest>;
  readonly externalId: string | null;
  readonly promoCode: string | null;
}

/** What may be used where is for the pricing to judge. */
export function readDiscounts(
  parts: readonly Part<AppliedDiscountRequest>[],
  { configuration, restaurant: { currencyCode } }: ReadingContext,
): ReadDiscount[] {
  return parts.flatMap((part) => {
    refuseUnsupported(part, 'loyaltyDetails');
    part.require('discount', 'is required and missing: send {"guid": …} of a discount');
    const guid = part.get('discount')?.guid.toLowerCase();
    if (guid === undefined) return [];
    const discount = configuration.discounts.get(guid);
    if (!discount?.active) {
      part.notThere(
        'is not an active discount of this restaurant: applicableDiscounts lists those that you can add',
        'discount',
      );
      return [];
    }
    // Other kinds have an amount of their own, and answers echo it.
    const isOpen = discount.type === 'OPEN_FIXED';
    const amountMinor = isOpen ? readMoney(part, 'discountAmount', currencyCode) : null;
    if (isOpen && !amountMinor && part.isSound('discountAmount')) {
      part.fault('is required for this discount, and must be above zero', 'discountAmount');
    }
    const discountAmount = amountMinor === null ? null : amountOnWire(amountMinor, currencyCode);
    const read = {
      part,
      discount: { guid },
      discountAmount,
      externalId: readText(part, 'externalId'),
      promoCode: readText(part, 'appliedPromoCode'),
    };
    return [read];
  });
}
