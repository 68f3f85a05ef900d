import type { AppliedServiceChargeRequest, CheckRequest } from '@servery/contract';
import type { ChargeRequest } from '@servery/pricing';
import { amountOnWire } from '../../payments/life/money.ts';
import type { PublishedCharge } from '../configuration.ts';
import type { Behavior } from '../order.ts';
import type { Part } from './part.ts';
import { readMoney } from './read-money.ts';
import { type ReadingContext, readNamed, readText } from './reading.ts';

export interface ReadCharge extends ChargeRequest {
  readonly part: Part<AppliedServiceChargeRequest>;
  readonly charge: PublishedCharge;
  readonly externalId: string | null;
}

/** ORD-21, apart from the limits on what the check is worth. */
export function readCharges(
  check: Part<CheckRequest>,
  behavior: Behavior | null,
  context: ReadingContext,
): ReadCharge[] {
  const { configuration, restaurant } = context;
  const used = new Set<string>();
  return check.parts('appliedServiceCharges').flatMap((part) => {
    part.require('serviceCharge', 'is required and missing: send {"guid": …} of a service charge');
    const charge = readNamed(part, 'serviceCharge', configuration.serviceCharges);
    if (!charge) return [];
    if (used.has(charge.guid))
      part.fault('is already on the check: send it only once', 'serviceCharge');
    used.add(charge.guid);
    if (behavior && !isForBehavior(charge, behavior)) {
      part.fault(`is not for ${behavior} orders`, 'serviceCharge');
    }
    const isOpen = charge.amountType === 'OPEN';
    const amountMinor = isOpen ? readMoney(part, 'chargeAmount', restaurant.currencyCode) : null;
    if (isOpen && amountMinor === null && part.isSound('chargeAmount')) {
      part.fault('is required for this service charge', 'chargeAmount');
    }
    const chargeAmount =
      amountMinor === null ? null : amountOnWire(amountMinor, restaurant.currencyCode);
    const externalId = readText(part, 'externalId');
    return [{ part, charge, serviceCharge: { guid: charge.guid }, chargeAmount, externalId }];
  });
}

/** If none is set, the charge is for all. */
function isForBehavior({ criteria }: PublishedCharge, behavior: Behavior): boolean {
  const { delivery, takeout, dineIn } = criteria;
  if (!delivery && !takeout && !dineIn) return true;
  return { DELIVERY: delivery, TAKE_OUT: takeout, DINE_IN: dineIn }[behavior];
}

/** ORD-21: once the check is priced. */
export function refuseOutsideLimits(
  { part, charge: { criteria } }: ReadCharge,
  preDiscountMinor: number,
  currencyCode: string,
): void {
  const worth = amountOnWire(preDiscountMinor, currencyCode);
  const { minCheckAmount, maxCheckAmount } = criteria;
  if (minCheckAmount !== null && worth < minCheckAmount) {
    part.fault(`is for checks of at least ${minCheckAmount}; this one has ${worth}`);
  }
  if (maxCheckAmount !== null && worth > maxCheckAmount) {
    part.fault(`is for checks of at most ${maxCheckAmount}; this one has ${worth}`);
  }
}
