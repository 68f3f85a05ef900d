import type { ApplicableDiscount, OrderReference } from '@servery/contract';
import { priceOrder } from '@servery/pricing';
import { nextTurn } from '@servery/support/runner.ts';
import { Faults } from '../../http/faults.ts';
import { refusingItself } from '../../http/look-further.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { amountOnWire } from '../../payments/life/money.ts';
import type { PublishedDiscount } from '../configuration.ts';
import type { OrderDeps } from '../order-deps.ts';
import { refuseOrder } from '../order-faults.ts';
import { checkForPricing, priceRead, pricingContextOf } from '../price/price-order.ts';
import { type ReadCheck, readOrder } from '../read-order/read-order.ts';
import type { ReadSelection } from '../read-order/read-selection.ts';
import { readingContext } from '../read-order/reading-context.ts';

/** ORD-66: tries each discount, so that the rules stand in one place. */
export function applicableDiscountsHandler(
  deps: OrderDeps,
): HandlerOf<'orders.applicableDiscounts'> {
  return refusingItself(async ({ restaurant, body, operation, faults: found, nowMs }) => {
    const faults = new Faults(operation);
    faults.addAll(found);
    const rest = { nowMs, isPlaced: false, faults, path: ['order'] };
    const context = await readingContext(deps, restaurant.guid, rest);
    const { percentTaxBasis } = deps.orderSettings;
    const read = readOrder(body?.order, context);
    if (read) priceRead(read, context, percentTaxBasis);
    refuseOrder(faults);
    if (!read?.diningOption) throw new Error('an order without faults has a dining option');
    const diningOption = { guid: read.diningOption.guid };
    const pricing = pricingContextOf(context, percentTaxBasis);
    const least = amountOnWire(1, restaurant.currencyCode);
    const wanted = [...context.configuration.discounts.values()].filter(
      (discount) => discount.active && hasCode(discount, body.promoCode),
    );
    const applicable: ApplicableDiscount[] = [];
    for (const { guid, type, selectionType } of wanted) {
      if (type === 'OPEN_PERCENT' || type === 'FIXED_TOTAL') continue;
      const tried = { discount: { guid }, discountAmount: type === 'OPEN_FIXED' ? least : null };
      const priceOne = (check: ReturnType<typeof checkForPricing>) =>
        priceOrder({ diningOption, checks: [check] }, pricing).faults ?? [];
      const checks: OrderReference[] = [];
      const selections: OrderReference[] = [];
      for (const check of read.checks) {
        const request = checkForPricing(check);
        if (selectionType === 'ITEM') {
          const each = request.selections.map((selection, index) =>
            isFree(check.selections[index])
              ? { ...selection, appliedDiscounts: [tried] }
              : selection,
          );
          const places = priceOne({ ...request, selections: each }).map(({ place }) => place);
          const isOut = places.some((place) => !place.includes('.selections['));
          check.selections.forEach((selection, index) => {
            const where = `checks[0].selections[${index}]`;
            const isFaulty = places.some((place) => isAt(place, where));
            if (isFree(selection) && !isOut && !isFaulty) selections.push(selectionOf(selection));
          });
        } else {
          const applied = [...(request.appliedDiscounts ?? []), tried];
          if (priceOne({ ...request, appliedDiscounts: applied }).length === 0) {
            checks.push(checkOf(check));
          }
        }
        await nextTurn();
      }
      if (checks.length + selections.length === 0) continue;
      applicable.push({
        discount: { guid, entityType: 'Discount', externalId: null },
        applicableChecks: checks,
        applicableSelections: selections,
      });
    }
    return { json: applicable };
  });
}

function hasCode({ promoCodes }: PublishedDiscount, sent: string | undefined): boolean {
  if (sent === undefined) return promoCodes.length === 0;
  return promoCodes.some(({ code }) => code.toLowerCase() === sent.toLowerCase());
}

const isFree = (selection: ReadSelection | undefined) =>
  selection?.selectionType === 'NONE' && selection.appliedDiscounts.length === 0;

const isAt = (place: string, where: string) => place === where || place.startsWith(`${where}.`);

const checkOf = ({ part }: ReadCheck): OrderReference => ({
  guid: part.get('guid') ?? null,
  entityType: 'Check',
  externalId: part.get('externalId') ?? null,
});

function selectionOf({ part, entry }: ReadSelection): OrderReference {
  const guid = part.get('guid');
  const externalId = part.get('externalId') ?? null;
  const isNamed = guid !== undefined || externalId !== null;
  return {
    guid: isNamed ? (guid ?? null) : (entry?.guid ?? null),
    entityType: 'MenuItemSelection',
    externalId,
  };
}
