import { type PriceFault, priceCheck, type ResolvedCheck } from '@servery/pricing';
import { ApiError } from '../../http/errors.ts';
import type { OrderCheck } from '../order.ts';
import type { ReadingContext } from '../read-order/reading.ts';
import { buildSelections, gatherNothing, pricedPartsOf } from './build-order.ts';
import { agreedPricingContextOf, type PercentTaxBasis, priceFaultText } from './price-order.ts';
import { reopenCheck, withVoided } from './stored-check.ts';

/**
 * ORD-42: the prices of a check after some of it was voided. What was agreed stays, whether or not
 * its rule is still met; a BOGO that finds nothing anymore ends. Throws ApiError `conflict`.
 */
export function repriceCheck(
  check: OrderCheck,
  context: ReadingContext,
  percentTaxBasis: PercentTaxBasis,
): OrderCheck {
  const reopened = reopenCheck(check, context.configuration);
  const agreed = agreedPricingContextOf(context, percentTaxBasis);
  const { priced, faults } = priceWithoutEnded(reopened.check, agreed);
  if (!priced) {
    const why = (faults ?? []).map(({ place, reason }) => `${place} ${priceFaultText(reason)}`);
    throw new ApiError(
      'conflict',
      `The rest of the check can't be priced without this selection: ${why.join('; ')}. ` +
        'Publish what is missing, or void the order.',
    );
  }
  const sources = reopened.parts.map((parts) => ({ parts }));
  const building = { ...context, nextCheckNumber: () => '' };
  const built = buildSelections(sources, priced, gatherNothing(), building);
  const selections = withVoided(check.selections, built);
  return { ...check, ...pricedPartsOf(priced, built), selections };
}

type Pricing = Parameters<typeof priceCheck>[2];

function priceWithoutEnded(check: ResolvedCheck, pricing: Pricing): ReturnType<typeof priceCheck> {
  const result = priceCheck(check, 'check', pricing);
  const ended = (result.faults ?? []).filter(isEndedBogo).map(({ place }) => place);
  if (ended.length === 0) return result;
  const appliedDiscounts = check.appliedDiscounts.filter(
    (_, index) => !ended.includes(`check.appliedDiscounts[${index}]`),
  );
  return priceWithoutEnded({ ...check, appliedDiscounts }, pricing);
}

const isEndedBogo = ({ reason }: PriceFault) =>
  reason === 'BOGO_WITHOUT_BUY_ITEMS' || reason === 'BOGO_WITHOUT_GET_ITEMS';
